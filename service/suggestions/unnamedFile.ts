import { randomUUID } from 'node:crypto'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Opens a file in the temporary folder that has no name. The operating system deletes it when the last handle is closed,
 * also after a crash, so nothing of an upload remains on the disk.
 */
export async function openUnnamedFile(): Promise<FileHandle> {
  const path = join(tmpdir(), `lockerflow-upload-${randomUUID()}`)
  const handle = await open(path, 'wx+', 0o600)
  try {
    await unlink(path)
    return handle
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** Codes of a disk that is full, read-only, missing or out of handles. */
const diskErrors: ReadonlySet<unknown> = new Set([
  'ENOSPC',
  'EDQUOT',
  'EIO',
  'EROFS',
  'EACCES',
  'EPERM',
  'ENOENT',
  'EMFILE',
  'ENFILE',
])

/** Returns whether the disk is the reason for an error of such a file. */
export function isDiskError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && diskErrors.has(error.code)
}
