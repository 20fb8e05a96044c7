import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { access, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const requirements = join(import.meta.dirname, 'requirements.txt')
/** How long the packages may take to come, in milliseconds. */
const patience = 300_000

/** How Schemathesis is started: a Python, and what it has to be told. */
export interface Schemathesis {
  readonly python: string
  readonly variables: Readonly<Record<string, string>>
  readonly version: string
}

/** Ways to give Schemathesis a place of its own: Debian's Python can come without any of them. */
const ways = [
  { title: 'venv', words: (folder: string) => ['-m', 'venv', folder] },
  { title: 'virtualenv', words: (folder: string) => ['-m', 'virtualenv', '--quiet', folder] },
] as const

/**
 * Finds or makes an environment with Schemathesis and all that it needs, each pinned to one version, below the cache
 * folder and outside of the repository.
 * @throws Error when there is no Python of at least 3.10, or it has neither venv, virtualenv nor pip
 */
export async function findSchemathesis(cacheFolder: string, progress: (line: string) => void): Promise<Schemathesis> {
  const python = await findPython()
  const pins = await readFile(requirements, 'utf8')
  const key = createHash('sha256').update(pins).update(python.version).digest('hex').slice(0, 12)
  const folder = join(cacheFolder, `fuzz-${key}`)
  const version = /^schemathesis==(.+)$/m.exec(pins)?.[1] ?? 'unknown'
  if (!(await isThere(folder))) {
    progress(`Installing schemathesis ${version} into ${folder}, once for this machine`)
    await fill(python.command, cacheFolder, folder)
  }
  const packages = join(folder, 'packages')
  if (await isThere(packages)) return { python: python.command, variables: { PYTHONPATH: packages }, version }
  return { python: join(folder, 'bin', 'python'), variables: {}, version }
}

async function findPython(): Promise<{ command: string; version: string }> {
  for (const command of ['python3', 'python']) {
    const script = 'import sys; print("%d.%d" % sys.version_info[:2]); sys.exit(sys.version_info < (3, 10))'
    const found = await run(command, ['-c', script]).catch(() => undefined)
    if (found !== undefined) return { command, version: found.stdout.trim() }
  }
  throw new Error('npm run fuzz needs Python 3.10 or later as `python3`, with venv, virtualenv or pip')
}

/** Fills a fresh folder and moves it to its place, so that half an environment is never taken for a whole one. */
async function fill(python: string, cacheFolder: string, folder: string): Promise<void> {
  await mkdir(cacheFolder, { recursive: true })
  const making = await mkdtemp(`${folder}.making-`)
  try {
    await install(python, making)
    await rename(making, folder).catch(async error => {
      // Somebody else was faster.
      if (!(await isThere(folder))) throw error
    })
  } finally {
    await rm(making, { recursive: true, force: true })
  }
}

async function install(python: string, folder: string): Promise<void> {
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--requirement', requirements]
  const failures: string[] = []
  for (const { title, words } of ways) {
    const made = await run(python, words(folder)).then(
      () => true,
      error => {
        failures.push(`${title}: ${firstLine(error)}`)
        return false
      },
    )
    if (made) {
      await run(join(folder, 'bin', 'python'), pip, { timeout: patience })
      return
    }
  }
  await run(python, [...pip, '--target', join(folder, 'packages')], { timeout: patience }).catch(error => {
    const reasons = [...failures, `pip: ${firstLine(error)}`].join('; ')
    throw new Error(`Python can make no environment for schemathesis (${reasons}); on Debian: python3-venv`)
  })
}

async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

function firstLine(error: unknown): string {
  const { stderr = '', message = '' } = Object(error)
  return (String(stderr).trim() || String(message)).split('\n').at(-1) ?? ''
}
