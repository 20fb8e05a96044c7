import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** The URL of a store in a folder of its own, which goes when the test has finished. */
export function temporaryStore(): string {
  return `file:${join(temporaryFolder(), 'service.db')}`
}

/** A folder that goes when the test has finished. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'lockerflow-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
