import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readEnvironment } from '../../../cli/environment.ts'
import { cachedFolder, goBuild } from '../../../cli/temporal/index.ts'
import { findPython, pythonWith } from '../setup/python.ts'

/** The command of an example. */
export interface Command {
  readonly file: string
  readonly words: readonly string[]
  readonly variables: Readonly<Record<string, string>>
}

export interface Language {
  /** Its folder. */
  readonly name: string
  /** The tools that the machine lacks; undefined if the example can run. */
  readonly lacks: string | undefined
  /** Installs or builds the example, once per machine. */
  readonly prepare: () => Promise<Command>
}

export const examples = join(import.meta.dirname, '..', '..', '..', 'examples')
const { cacheFolder } = readEnvironment()
const progress = (line: string) => console.error(line)

/** The languages that have an example. */
export const languages: readonly Language[] = [
  {
    name: 'python',
    lacks: (await findPython()) === undefined ? 'the PATH has no Python 3.10 or later' : undefined,
    async prepare() {
      const requirements = join(examples, 'python', 'requirements.txt')
      const { command, variables } = await pythonWith({ name: 'example', requirements, cacheFolder, progress })
      return { file: command, words: [join(examples, 'python', 'flow.py')], variables }
    },
  },
  {
    name: 'go',
    lacks: goVersion() === undefined ? 'the PATH has no go' : undefined,
    async prepare() {
      const folder = await cachedFolder(cacheFolder, `example-go-${goKey()}`, async making => {
        progress('Building examples/go, once per machine')
        const args = ['build', '-v', '-trimpath', '-ldflags=-s -w', '-o', join(making, 'flow'), '.']
        await goBuild(args, { progress, folder: join(examples, 'go') })
      })
      return { file: join(folder, 'flow'), words: [], variables: {} }
    },
  },
  {
    name: 'typescript',
    lacks: undefined,
    prepare: async () => ({
      file: process.execPath,
      words: [join(examples, 'typescript', 'flow.ts')],
      variables: {},
    }),
  },
]

function goVersion(): string | undefined {
  try {
    return execFileSync('go', ['version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  } catch {
    return undefined
  }
}

/** Key of the cached build: a hash of the sources and the version of Go. */
function goKey(): string {
  const hash = createHash('sha256').update(goVersion() ?? '')
  for (const file of readdirSync(join(examples, 'go')).sort()) {
    hash.update(file).update(readFileSync(join(examples, 'go', file)))
  }
  return hash.digest('hex').slice(0, 12)
}
