import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The key of a cached build: a hash of the sources and the version of the tool. */
export function hashOf(folder: string, version: string): string {
  const hash = createHash('sha256').update(version)
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
  for (const file of files.map(entry => join(entry.parentPath, entry.name)).sort()) {
    hash.update(file.slice(folder.length)).update(readFileSync(file))
  }
  return hash.digest('hex').slice(0, 12)
}
