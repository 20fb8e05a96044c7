import { accessSync, chmodSync, closeSync, constants, existsSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Kysely } from 'kysely'
import { findStorePath, mustBeFileUrl, SettingsError } from '#platform/settings'
import { isUnavailable, readSqliteCode } from '../errors.ts'
import { migrate, noTables } from '../migrate.ts'
import type { Store } from '../store.ts'
import type { Tables } from '../tables.ts'
import { embeddedDialect } from './dialect.ts'
import { rememberFile } from './lostFile.ts'
import { migratedDatabase } from './memory.ts'

/**
 * Opens the embedded store at a `file:` URL, creates a missing file, and migrates its tables. Only the owner can read the
 * files of the store.
 * @param lockTimeout how long a statement waits for another process, in milliseconds
 * @param mustExist refuses a file without tables of a service
 * @throws Error when the path is that of a folder or of another file, which keeps its mode
 * @throws Error with the code NotReachable when SQLite can open the file and not use it
 */
export async function openEmbedded(url: string, lockTimeout: number, mustExist = false): Promise<Store> {
  const path = toPath(url)
  const isFile = path !== ':memory:'
  if (isFile) createNamed(path, mustExist)
  const content = isFile ? undefined : await migratedDatabase()
  const store = new Kysely<Tables>({ dialect: embeddedDialect(path, lockTimeout, content) })
  try {
    await migrate(store, 'sqlite')
  } catch (error) {
    await store.destroy()
    if (isNoDatabase(error)) throw noStore(path)
    throw isFile && isUnavailable(error) ? describeUnusable(path, error as Error) : error
  }
  if (isFile) rememberFile(store, path)
  return store
}

/** The path of a `file:` URL. @throws SettingsError */
export function toPath(url: string): string {
  const path = findStorePath(url)
  if (path === undefined) throw new SettingsError({ name: 'LOCKERFLOW_DATABASE_URL', wrong: mustBeFileUrl })
  return path
}

/** Modes that admit the owner only. */
const [folderMode, fileMode] = [0o700, 0o600]

/** @throws Error that names the setting, including for a folder or file that the process may not create or read */
function createNamed(path: string, mustExist: boolean): void {
  try {
    createPrivately(path, mustExist)
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error
    throw notWritable(error.message)
  }
}

/**
 * Creates a missing folder and file, and removes the access of others to an existing file. SQLite gives the files
 * beside it the same mode, but only when it creates them. An existing folder keeps its mode, since it may be shared.
 */
function createPrivately(path: string, mustExist: boolean): void {
  mkdirSync(dirname(path), { recursive: true, mode: folderMode })
  if (!existsSync(path)) closeSync(openSync(path, 'a', fileMode))
  if (!statSync(path).isFile()) throw noStore(path)
  // SQLite opens a file that cannot be written to read it, and a service would fail at its first write.
  if (!mustExist) accessSync(path, constants.W_OK)
  if (mustExist || isOpenToOthers(path)) assertDatabase(path, mustExist)
  for (const file of [path, `${path}-wal`, `${path}-shm`]) if (isOpenToOthers(file)) chmodSync(file, fileMode)
}

/** Only the owner may change the mode. Another user who may write to the file can still open the store. */
function isOpenToOthers(file: string): boolean {
  const stats = statSync(file, { throwIfNoEntry: false })
  return stats !== undefined && (stats.mode & 0o077) !== 0 && stats.uid === process.getuid?.()
}

/**
 * A mistyped path must not change another file or remove the access to it. SQLite reads the file, because a descriptor of
 * our own, once it is closed, would end the locks that this process has on it.
 * @throws Error when SQLite cannot read the file, or it lacks the tables of a service that it must have
 */
function assertDatabase(path: string, mustBeStore: boolean): void {
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    const table = database.prepare("select name from sqlite_schema where name = 'kysely_migration'").get()
    if (mustBeStore && table === undefined) throw noTables(path)
  } catch (error) {
    if (isNoDatabase(error)) throw noStore(path)
    if (isForbidden(error)) throw notWritable(`${(error as Error).message}, ${path}`)
    // A locked file is one of SQLite, and its store waits for the lock.
    if (!isLocked(error)) throw error
  } finally {
    database.close()
  }
}

/** SQLITE_NOTADB. */
function isNoDatabase(error: unknown): boolean {
  return readSqliteCode(error) === 26
}

/** SQLITE_PERM, SQLITE_READONLY and SQLITE_CANTOPEN: another user owns the file, one beside it or their folder. */
function isForbidden(error: unknown): boolean {
  return [3, 8, 14].includes(readSqliteCode(error) ?? 0)
}

/** SQLITE_BUSY and SQLITE_LOCKED. */
function isLocked(error: unknown): boolean {
  return [5, 6].includes(readSqliteCode(error) ?? 0)
}

/** The error of a file that SQLite can open and not use. */
export function describeUnusable(path: string, error: Error): Error {
  return isForbidden(error) ? notWritable(`${error.message}, ${path}`) : notReachable(path, error)
}

function notWritable(reason: string): SettingsError {
  const wrong = `must name a file that the process can write: ${reason}`
  return new SettingsError({ name: 'LOCKERFLOW_DATABASE_URL', wrong })
}

/** The error of a full or broken disk, a damaged file, and one that another process has locked. */
function notReachable(path: string, cause: Error): Error {
  const message = `LOCKERFLOW_DATABASE_URL: ${path} cannot be read or written: ${cause.message}`
  return Object.assign(new Error(message, { cause }), { code: 'NotReachable' })
}

function noStore(path: string): SettingsError {
  return new SettingsError({
    name: 'LOCKERFLOW_DATABASE_URL',
    wrong: `must name a SQLite file, got ${path}`,
  })
}
