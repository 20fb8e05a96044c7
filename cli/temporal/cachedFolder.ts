import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * A folder of the cache that is made once per machine. It appears whole, by one rename: of two that make it at the same
 * time the first wins.
 * @returns its path
 */
export async function cachedFolder(
  cacheFolder: string,
  name: string,
  make: (folder: string) => Promise<void>,
): Promise<string> {
  const destination = join(cacheFolder, name)
  if (existsSync(destination)) return destination
  await mkdir(cacheFolder, { recursive: true })
  const folder = await mkdtemp(join(cacheFolder, `${name}.making-`))
  try {
    await make(folder)
    await rename(folder, destination).catch(error => {
      if (!existsSync(destination)) throw error
    })
    return destination
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
