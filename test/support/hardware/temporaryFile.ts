import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../service/temporaryStore.ts'

/** Writes a file into a folder that is removed when the test has finished. Returns its path. */
export function temporaryFile(name: string, text: string): string {
  const path = join(temporaryFolder(), name)
  writeFileSync(path, text)
  return path
}
