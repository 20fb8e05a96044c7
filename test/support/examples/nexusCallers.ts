import { join } from 'node:path'
import { buildGo, type Language, lacksGo } from './languages.ts'
import { copyExample } from './project.ts'

/** The callers of examples/nexus, one in each language. */
export const nexusCallers: readonly Language[] = [
  {
    name: 'typescript',
    lacks: undefined,
    prepare: async () => ({
      file: process.execPath,
      words: [join(await copyExample('nexus/typescript'), 'worker.ts')],
      variables: {},
    }),
  },
  {
    name: 'go',
    lacks: lacksGo,
    prepare: async () => ({ file: join(await buildGo('nexus/go'), 'program'), words: [], variables: {} }),
  },
]
