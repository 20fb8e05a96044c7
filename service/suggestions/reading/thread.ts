import { parentPort, workerData } from 'node:worker_threads'
import { Refusal } from '../../operations/call.ts'
import type { Message } from './message.ts'
import { readFile } from './readFile.ts'

// The other end of readInThread: reads the one file that it is given, tells what it found, and ends.
function tell(message: Message): void {
  parentPort?.postMessage(message)
}

try {
  for (const slice of await readFile(workerData)) tell({ slice })
  tell({ done: true })
} catch (error) {
  if (!(error instanceof Refusal)) throw error
  tell({ refused: { code: error.code, message: error.message } })
}
