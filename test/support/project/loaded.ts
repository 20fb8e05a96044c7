import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { root, sourceOf } from '../../project/sources.ts'
import { readDoors } from './doors.ts'

/** The files and packages that an import of a source loads. */
export interface Loaded {
  /** The texts of the sources, by path. */
  readonly files: ReadonlyMap<string, string>
  /** The packages and modules of Node that they import. */
  readonly packages: ReadonlySet<string>
}

const doors = readDoors()

/** Every file that a source loads when it is imported, and the packages that these import. */
export function loadedBy(entry: string): Loaded {
  const files = new Map<string, string>()
  const packages = new Set<string>()
  const load = (path: string) => {
    if (files.has(path)) return
    const text = readFileSync(join(root, path), 'utf8')
    files.set(path, text)
    for (const specifier of sourceOf(path, text).imports) {
      if (specifier === undefined) throw new Error(`${path} has a computed import`)
      const door = doors.get(specifier)
      if (specifier.startsWith('.')) load(posix.join(posix.dirname(path), specifier))
      else if (door !== undefined) load(door)
      else packages.add(specifier)
    }
  }
  load(entry)
  return { files, packages }
}
