import { join } from 'node:path'
import { readEnvironment } from '../../../platform/environment.ts'
import { findPython, pythonWith } from '../setup/python.ts'
import { buildGo, examples, type Language, lacksGo } from './languages.ts'
import { copyExample } from './project.ts'

const folder = 'repair-workflow'
const { cacheFolder } = readEnvironment()
const progress = (line: string) => console.error(line)

/** The workers of examples/repair-workflow, one in each language. */
export const repairWorkers: readonly Language[] = [
  {
    name: 'typescript',
    lacks: undefined,
    prepare: async () => ({
      file: process.execPath,
      words: [join(await copyExample(`${folder}/typescript`), 'worker.ts')],
      variables: {},
    }),
  },
  {
    name: 'python',
    lacks: (await findPython()) === undefined ? 'the PATH has no Python 3.10 or later' : undefined,
    async prepare() {
      const requirements = join(examples, folder, 'python', 'requirements.txt')
      const { command, variables } = await pythonWith({ name: 'example', requirements, cacheFolder, progress })
      const file = join(examples, folder, 'python', 'worker.py')
      return { file: command, words: [file], variables: { ...variables, PYTHONDONTWRITEBYTECODE: '1' } }
    },
  },
  {
    name: 'go',
    lacks: lacksGo,
    prepare: async () => ({ file: join(await buildGo(`${folder}/go`), 'program'), words: [], variables: {} }),
  },
]
