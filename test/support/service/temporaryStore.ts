import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject, onTestFinished } from 'vitest'
import { takeDatabase } from './postgresDatabase.ts'

/** A new store of the kind under test. The caller removes it. */
export interface NewStore {
  /** The value of LOCKERFLOW_DATABASE_URL. */
  readonly databaseUrl: string
  remove(): Promise<void>
}

/** A new store without rows. */
export async function newStore(): Promise<NewStore> {
  const postgres = inject('postgres')
  return postgres ? takeDatabase(postgres) : { databaseUrl: 'file::memory:', remove: async () => undefined }
}

/** The URL of a new store that can be opened more than once. It is removed when the test has finished. */
export async function temporaryStore(): Promise<string> {
  if (inject('postgres') === undefined) return temporaryFile()
  const { databaseUrl, remove } = await newStore()
  onTestFinished(remove)
  return databaseUrl
}

/** The URL of an embedded store in a folder that is removed when the test has finished. */
export function temporaryFile(): string {
  return `file:${join(temporaryFolder(), 'service.db')}`
}

/** A folder that is removed when the test has finished. */
export function temporaryFolder(): string {
  const { folder, remove } = newFolder()
  onTestFinished(remove)
  return folder
}

/** A folder for all tests of a file, which removes it. */
export function newFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'lockerflow-test-'))
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}
