import { once } from 'node:events'
import { fstatSync, readSync } from 'node:fs'
import { OperationError } from '../../operationError.ts'
import type { ReadRequest } from '../upload.ts'
import { readFile } from './readFile.ts'
import { fileDescriptor, type ReaderMessage } from './readInProcess.ts'

// Entry point of the child process of readInProcess: reads one file, sends a slice of its rows for each request, and exits.

async function send(message: ReaderMessage): Promise<void> {
  process.send?.(message)
  // The parent requests the next slice when it begins to store this one, so that it has at most two in memory.
  if ('slice' in message) await once(process, 'message')
}

/** Reads from the beginning: parent and child share the position of the file. */
function readWhole(descriptor: number): Buffer {
  const bytes = Buffer.alloc(fstatSync(descriptor).size)
  for (let at = 0; at < bytes.length; ) {
    const count = readSync(descriptor, bytes, at, bytes.length - at, at)
    if (count === 0) throw new Error('the file is shorter than its size')
    at += count
  }
  return bytes
}

const [reading] = (await once(process, 'message')) as [ReadRequest]
try {
  for (const slice of await readFile(readWhole(fileDescriptor), reading)) await send({ slice })
  await send({ done: true })
} catch (error) {
  if (!(error instanceof OperationError)) throw error
  await send({ refused: { code: error.code, message: error.message } })
}
