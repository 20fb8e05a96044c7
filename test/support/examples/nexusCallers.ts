import { join } from 'node:path'
import { buildGo, examples, type Language, lacksGo } from './languages.ts'

/** The callers of examples/nexus, one in each language. */
export const nexusCallers: readonly Language[] = [
  {
    name: 'typescript',
    lacks: undefined,
    prepare: async () => ({
      file: process.execPath,
      words: [join(examples, 'nexus', 'typescript', 'worker.ts')],
      variables: {},
    }),
  },
  {
    name: 'go',
    lacks: lacksGo,
    prepare: async () => ({ file: join(await buildGo('nexus/go'), 'program'), words: [], variables: {} }),
  },
]
