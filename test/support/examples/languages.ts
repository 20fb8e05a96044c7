import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { readEnvironment } from '../../../platform/environment.ts'
import { cachedFolder } from '../cachedFolder.ts'
import { goBuild } from '../goBuild.ts'
import { findPython, pythonWith } from '../setup/python.ts'
import { hashOf } from './hashOf.ts'
import { copyExample } from './project.ts'

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

export const lacksGo = goVersion() === undefined ? 'the PATH has no go' : undefined

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
    lacks: lacksGo,
    prepare: async () => ({ file: join(await buildGo('go'), 'program'), words: [], variables: {} }),
  },
  {
    name: 'typescript',
    lacks: undefined,
    prepare: async () => ({
      file: process.execPath,
      words: [join(await copyExample('typescript'), 'flow.ts')],
      variables: {},
    }),
  },
]

/** Builds a Go program of the examples, once per machine. @returns the folder with its `program` */
export function buildGo(folder: string): Promise<string> {
  const source = join(examples, folder)
  const key = hashOf(source, goVersion() ?? '')
  return cachedFolder(cacheFolder, `example-${folder.replaceAll('/', '-')}-${key}`, async making => {
    progress(`Building examples/${folder}, once per machine`)
    const args = ['build', '-v', '-trimpath', '-ldflags=-s -w', '-o', join(making, 'program'), '.']
    await goBuild(args, { progress, folder: source })
  })
}

/** Undefined if the machine lacks it. */
function goVersion(): string | undefined {
  try {
    return execFileSync('go', ['version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  } catch {
    return undefined
  }
}
