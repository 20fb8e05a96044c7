import { execFile } from 'node:child_process'
import { cp, rm } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { readEnvironment } from '../../../platform/environment.ts'
import { cachedFolder } from '../cachedFolder.ts'
import { findPython, pythonWith } from '../setup/python.ts'
import { hashOf } from './hashOf.ts'
import { buildGo, examples, type Language, lacksGo, versionOf } from './languages.ts'
import { copyExample } from './project.ts'

const folder = 'repair-workflow'
const { cacheFolder } = readEnvironment()
const progress = (line: string) => console.error(line)

/** Milliseconds that Maven may take to download the SDK and to compile. */
const mavenTimeout = 600_000

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
  {
    name: 'java',
    lacks: versionOf('mvn', '--version') === undefined ? 'the PATH has no Maven' : undefined,
    async prepare() {
      const built = await buildJava(join(examples, folder, 'java'))
      const path = [join(built, 'target', 'classes'), join(built, 'lib', '*')].join(delimiter)
      // A short program: the compiler that optimises it would cost more than it saves.
      return { file: 'java', words: ['-XX:TieredStopAtLevel=1', '-cp', path, 'example.RepairWorker'], variables: {} }
    },
  },
]

/** Compiles the example in a copy, and copies the jars that it needs next to it. */
function buildJava(source: string): Promise<string> {
  const key = hashOf(source, versionOf('java', '--version') ?? '')
  return cachedFolder(cacheFolder, `example-java-${key}`, async making => {
    progress('Building examples/repair-workflow/java, once per machine')
    await cp(source, making, { recursive: true })
    const words = ['-q', '-B', 'compile', 'dependency:copy-dependencies', `-DoutputDirectory=${join(making, 'lib')}`]
    await promisify(execFile)('mvn', words, { cwd: making, timeout: mavenTimeout })
    await rm(join(making, 'src'), { recursive: true })
  })
}
