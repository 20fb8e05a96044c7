import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { CommandFailure, exitCodes } from '../command/failure.ts'

/** Writes files below a folder. @throws CommandFailure if one exists, before any is written */
export async function writeFiles(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  const existing = Object.keys(files).filter(file => existsSync(join(folder, file)))
  if (existing.length > 0) {
    throw new CommandFailure('CommandFailed', `${existing.join(', ')} in ${folder} must not exist yet.`, {
      exitCode: exitCodes.failed,
      remedy: 'Choose another name or folder.',
    })
  }
  for (const [file, text] of Object.entries(files)) {
    const path = join(folder, file)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text, { flag: 'wx', mode: file === '.env' ? 0o600 : 0o644 })
  }
}
