import { statSync } from 'node:fs'
import type { Store } from '../store.ts'

interface OpenedFile {
  readonly path: string
  /** Undefined if the path no longer led to a file. */
  readonly id: string | undefined
}

const files = new WeakMap<Store, OpenedFile>()

/** Remembers the file that a store has opened. */
export function rememberFile(store: Store, path: string): void {
  files.set(store, { path, id: idOf(path) })
}

/**
 * Returns whether the path of an embedded store leads to another file than the one that is open, or to none. SQLite goes on
 * with the open one, whose changes are lost when it is closed.
 */
export function hasLostFile(store: Store): boolean {
  const file = files.get(store)
  return file !== undefined && idOf(file.path) !== file.id
}

/** The device of a file and its number there, which change with its replacement and not with its content. */
function idOf(path: string): string | undefined {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false })
  return stats && `${stats.dev}:${stats.ino}`
}
