import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { run } from './run.ts'

/** Version of the Temporal CLI. Later modules contain a local `replace`, so the module proxy cannot build them. */
export const cliVersion = '1.5.1'

/** Oldest server with Worker Versioning as the worker uses it. */
const oldestServer = { major: 1, minor: 29 }

/** Name of the executable on this platform. */
export const executable = process.platform === 'win32' ? 'temporal.exe' : 'temporal'

/** Milliseconds after which a folder that is still being made was left by a killed process. A build has 20 minutes. */
const longestMaking = 60 * 60_000

/** Built here with another SQLite driver (sources.ts), or released by Temporal. */
export type Origin = 'built' | 'released'

/** Path of the cached command. */
export function cachedCommand(cacheFolder: string, origin: Origin): string {
  return join(cacheFolder, folderName(origin), executable)
}

/**
 * Puts a command into the cache. `make` writes it to an empty folder and returns its path. Only a command that works is
 * moved to its place, by one rename, so two processes can do this at the same time. The build has a lock (D-518), the
 * download has none.
 */
export async function fillCache(
  cacheFolder: string,
  origin: Origin,
  make: (folder: string) => Promise<string>,
): Promise<string> {
  const destination = cachedCommand(cacheFolder, origin)
  await mkdir(join(cacheFolder, folderName(origin)), { recursive: true })
  return inEmptyFolder(cacheFolder, folderName(origin), async folder => {
    const made = await make(folder)
    await chmod(made, 0o755)
    await probe(made)
    await rename(made, destination)
    return destination
  })
}

/**
 * Returns the path of a folder of the cache that is made once per machine. It appears complete, by one rename. If two
 * processes make it at the same time, the first one wins.
 */
export async function cachedFolder(
  cacheFolder: string,
  name: string,
  make: (folder: string) => Promise<void>,
): Promise<string> {
  const destination = join(cacheFolder, name)
  if (existsSync(destination)) return destination
  await mkdir(cacheFolder, { recursive: true })
  return inEmptyFolder(cacheFolder, name, async folder => {
    await make(folder)
    await rename(folder, destination).catch(error => {
      if (!existsSync(destination)) throw error
    })
    return destination
  })
}

/** @throws Error if a Temporal command does not run or its server is too old */
export async function probe(command: string): Promise<void> {
  const version = await run(command, ['--version'], { timeoutMs: 20_000 })
  const [found, major, minor] = /Server (\d+)\.(\d+)/.exec(version) ?? []
  if (!found) throw new Error(`${command} --version prints "${version}" without a server version`)
  if (
    Number(major) < oldestServer.major ||
    (Number(major) === oldestServer.major && Number(minor) < oldestServer.minor)
  )
    throw new Error(`${command} has "${found}", and needs ${oldestServer.major}.${oldestServer.minor} or later`)
}

async function inEmptyFolder<Result>(
  cacheFolder: string,
  name: string,
  make: (folder: string) => Promise<Result>,
): Promise<Result> {
  const prefix = `${name}.making-`
  await removeAbandoned(cacheFolder, prefix)
  const folder = await mkdtemp(join(cacheFolder, prefix))
  try {
    return await make(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function removeAbandoned(cacheFolder: string, prefix: string): Promise<void> {
  for (const name of await readdir(cacheFolder)) {
    if (!name.startsWith(prefix)) continue
    const folder = join(cacheFolder, name)
    // Another process may remove it at the same time.
    const changed = await stat(folder).catch(() => undefined)
    if (changed !== undefined && Date.now() - changed.mtimeMs > longestMaking)
      await rm(folder, { recursive: true, force: true })
  }
}

function folderName(origin: Origin): string {
  return `temporal-${cliVersion}-${origin}`
}
