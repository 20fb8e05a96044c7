import { once } from 'node:events'
import { Refusal } from '../../operations/call.ts'
import type { Reading } from '../upload.ts'
import type { Message } from './message.ts'
import { readFile } from './readFile.ts'

// The other end of readInProcess: reads the one file that it is given, tells what it found, and ends.
function tell(message: Message): void {
  process.send?.(message)
}

const [reading] = (await once(process, 'message')) as [Reading]
try {
  for (const slice of await readFile(reading)) tell({ slice })
  tell({ done: true })
} catch (error) {
  if (!(error instanceof Refusal)) throw error
  tell({ refused: { code: error.code, message: error.message } })
}
