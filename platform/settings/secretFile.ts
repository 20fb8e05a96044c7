import { randomUUID } from 'node:crypto'
import { chmodSync, linkSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { SettingsError } from './settingsError.ts'

/**
 * Reads a secret that a process in staging made for itself, and stores the generated one at the first start, readable for
 * its owner only. A file that others may read is closed to them. The file is linked into place, so that two processes that
 * start together get the same secret.
 * @param setting can have the secret in place of the file
 * @throws SettingsError for a file that the process may not read or create
 */
export function loadOrCreateSecret(setting: string, file: string, generate: () => string): string {
  try {
    return loadOrCreate(file, generate)
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error
    const wrong = `must be set, or ${file} must be a file that the process can read and create: ${error.message}`
    throw new SettingsError({ name: setting, wrong })
  }
}

function loadOrCreate(file: string, generate: () => string): string {
  const stored = read(file)
  if (stored !== undefined) return stored
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const draft = `${file}.${randomUUID()}`
  try {
    writeFileSync(draft, generate(), { mode: 0o600, flag: 'wx' })
    linkSync(draft, file)
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
  } finally {
    rmSync(draft, { force: true })
  }
  return readFileSync(file, 'utf8').trim()
}

function read(file: string): string | undefined {
  try {
    const { mode, uid } = statSync(file)
    // Only the owner may change the mode.
    if ((mode & 0o077) !== 0 && uid === process.getuid?.()) chmodSync(file, 0o600)
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
