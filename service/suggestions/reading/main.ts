import { once } from 'node:events'
import { OperationError } from '../../operationError.ts'
import type { ReadRequest } from '../upload.ts'
import { readFile } from './readFile.ts'
import type { ReaderMessage } from './readInProcess.ts'

// Entry point of the child process of readInProcess: reads one file, sends its rows and exits.
function send(message: ReaderMessage): void {
  process.send?.(message)
}

const [reading] = (await once(process, 'message')) as [ReadRequest]
try {
  for (const slice of await readFile(reading)) send({ slice })
  send({ done: true })
} catch (error) {
  if (!(error instanceof OperationError)) throw error
  send({ refused: { code: error.code, message: error.message } })
}
