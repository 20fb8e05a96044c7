import { chmod, mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { probe } from './probe.ts'

/** The version of the Temporal CLI: later modules hold a local replace and cannot be built from the module proxy. */
export const cliVersion = '1.5.1'

/** Name of the executable on this platform. */
export const executable = process.platform === 'win32' ? 'temporal.exe' : 'temporal'

/** How the cached command came to be: built by us, with a mended SQLite driver (buildSource.ts), or as it was released. */
export type Making = 'built' | 'released'

/** Where the cached command lies. */
export function cachedCommand(cacheFolder: string, making: Making): string {
  return join(cacheFolder, nameOf(making), executable)
}

/**
 * Fills the cache: `make` puts the command into a fresh folder, and only a command that works is moved to its place.
 * The move is one rename, so two at once do not harm each other: the later one replaces a command with its equal.
 */
export async function fillCache(
  cacheFolder: string,
  making: Making,
  make: (folder: string) => Promise<string>,
): Promise<string> {
  const destination = cachedCommand(cacheFolder, making)
  await mkdir(join(cacheFolder, nameOf(making)), { recursive: true })
  const folder = await mkdtemp(join(cacheFolder, `${nameOf(making)}.making-`))
  try {
    const made = await make(folder)
    await chmod(made, 0o755)
    await probe(made)
    await rename(made, destination)
    return destination
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function nameOf(making: Making): string {
  return `temporal-${cliVersion}-${making}`
}
