import { once } from 'node:events'
import { OperationError } from '../../operationError.ts'
import type { ReadRequest } from '../upload.ts'
import { openFile } from './fileBytes.ts'
import { readFile } from './readFile.ts'
import { fileDescriptor, type ReaderMessage } from './readInProcess.ts'

// Entry point of the child process of readInProcess: reads one file, sends a slice of its rows for each request, and exits.

async function send(message: ReaderMessage): Promise<void> {
  process.send?.(message)
  // The parent requests the next slice when it begins to store this one, so that it has at most two in memory.
  if ('slice' in message) await once(process, 'message')
}

const [reading] = (await once(process, 'message')) as [ReadRequest]
try {
  for (const slice of await readFile(openFile(fileDescriptor), reading)) await send({ slice })
  await send({ done: true })
} catch (error) {
  if (!(error instanceof OperationError)) throw error
  await send({ refused: { code: error.code, message: error.message } })
}
