import { existsSync } from 'node:fs'
import { mkdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { inEmptyFolder } from '../../testing/temporal/index.ts'

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
