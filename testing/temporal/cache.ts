import { chmod, mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { commandVersion, probe } from './version.ts'

/** Name of the executable on this platform. */
export const executable = process.platform === 'win32' ? 'temporal.exe' : 'temporal'

/** Milliseconds after which a folder that is still being made was left by a killed process. */
const maxMaking = 60 * 60_000

const folderName = `temporal-${commandVersion}`

/** Path of the cached command. */
export function cachedCommand(cacheFolder: string): string {
  return join(cacheFolder, folderName, executable)
}

/**
 * Puts a command into the cache. `make` writes it to an empty folder and returns its path. Only a command that works is
 * moved to its place, by one rename, so two processes can do this at the same time.
 */
export async function fillCache(cacheFolder: string, make: (folder: string) => Promise<string>): Promise<string> {
  const destination = cachedCommand(cacheFolder)
  await mkdir(join(cacheFolder, folderName), { recursive: true })
  return inEmptyFolder(cacheFolder, folderName, async folder => {
    const made = await make(folder)
    await chmod(made, 0o755)
    await probe(made)
    await rename(made, destination)
    return destination
  })
}

/** Runs a task with an empty folder in the cache, and removes the folder. A folder that a killed process left goes first. */
export async function inEmptyFolder<Result>(
  cacheFolder: string,
  name: string,
  task: (folder: string) => Promise<Result>,
): Promise<Result> {
  const prefix = `${name}.making-`
  await removeAbandoned(cacheFolder, prefix)
  const folder = await mkdtemp(join(cacheFolder, prefix))
  try {
    return await task(folder)
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
    if (changed !== undefined && Date.now() - changed.mtimeMs > maxMaking)
      await rm(folder, { recursive: true, force: true })
  }
}
