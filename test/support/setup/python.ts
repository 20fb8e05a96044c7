import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { cachedFolder } from '../cachedFolder.ts'

const run = promisify(execFile)
/** Limit of the installation in milliseconds. */
const installTimeout = 300_000

/** A Python with packages: its command and the variables that it needs. */
export interface Python {
  readonly command: string
  readonly variables: Readonly<Record<string, string>>
}

export interface PythonOptions {
  /** The purpose of the packages; the first word of the folder's name. */
  readonly name: string
  /** A file of packages, each pinned to one version. */
  readonly requirements: string
  readonly cacheFolder: string
  readonly progress: (line: string) => void
}

/** Ways to isolate packages. Debian's Python may lack all of them. */
const ways = [
  { title: 'venv', words: (folder: string) => ['-m', 'venv', folder] },
  { title: 'virtualenv', words: (folder: string) => ['-m', 'virtualenv', '--quiet', folder] },
] as const

/** The machine's own Python, 3.10 or later; undefined if it has none. */
export async function findPython(): Promise<{ command: string; version: string } | undefined> {
  for (const command of ['python3', 'python']) {
    const script = 'import sys; print("%d.%d" % sys.version_info[:2]); sys.exit(sys.version_info < (3, 10))'
    const found = await run(command, ['-c', script]).catch(() => undefined)
    if (found !== undefined) return { command, version: found.stdout.trim() }
  }
  return undefined
}

/**
 * Finds or creates a Python environment with the packages, in the cache folder.
 * @throws Error without Python 3.10 or later, or if it has neither venv, virtualenv nor pip
 */
export async function pythonWith({ name, requirements, cacheFolder, progress }: PythonOptions): Promise<Python> {
  const python = await findPython()
  if (python === undefined) {
    throw new Error(`${name} needs Python 3.10 or later as \`python3\`, with venv, virtualenv or pip`)
  }
  const pins = await readFile(requirements, 'utf8')
  const key = createHash('sha256').update(pins).update(python.version).digest('hex').slice(0, 12)
  const folder = await cachedFolder(cacheFolder, `${name}-${key}`, async making => {
    progress(`Installing the packages of ${requirements}, once per machine`)
    await install(python.command, name, requirements, making)
  })
  const packages = join(folder, 'packages')
  if (existsSync(packages)) return { command: python.command, variables: { PYTHONPATH: packages } }
  return { command: join(folder, 'bin', 'python'), variables: {} }
}

async function install(python: string, name: string, requirements: string, folder: string): Promise<void> {
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--requirement', requirements]
  const failures: string[] = []
  for (const { title, words } of ways) {
    const made = await run(python, words(folder)).then(
      () => true,
      error => {
        failures.push(`${title}: ${lastLine(error)}`)
        return false
      },
    )
    if (made) {
      await run(join(folder, 'bin', 'python'), pip, { timeout: installTimeout })
      return
    }
  }
  await run(python, [...pip, '--target', join(folder, 'packages')], { timeout: installTimeout }).catch(error => {
    const reasons = [...failures, `pip: ${lastLine(error)}`].join('; ')
    throw new Error(`Python cannot create an environment for ${name} (${reasons}); on Debian: python3-venv`)
  })
}

function lastLine(error: unknown): string {
  const { stderr = '', message = '' } = Object(error)
  return (String(stderr).trim() || String(message)).split('\n').at(-1) ?? ''
}
