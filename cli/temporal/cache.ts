import { chmod, mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { probe } from './probe.ts'

/** Last version of the Temporal CLI that `go install` can build: later modules hold a local replace. */
export const cliVersion = '1.5.1'

/** Name of the executable on this platform. */
export const executable = process.platform === 'win32' ? 'temporal.exe' : 'temporal'

/** Where the cached command lies. */
export function cachedCommand(cacheFolder: string): string {
  return join(cacheFolder, `temporal-${cliVersion}`, executable)
}

/**
 * Fills the cache: `make` puts the command into a fresh folder, and only a command that works is moved to its place.
 * The move is one rename, so two at once do not harm each other: the later one replaces a command with its equal.
 */
export async function fillCache(cacheFolder: string, make: (folder: string) => Promise<string>): Promise<string> {
  const destination = cachedCommand(cacheFolder)
  await mkdir(join(cacheFolder, `temporal-${cliVersion}`), { recursive: true })
  const folder = await mkdtemp(join(cacheFolder, `temporal-${cliVersion}.making-`))
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
