import { type ChildProcess, fork } from 'node:child_process'
import { on, once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { Refusal } from '../../operations/call.ts'
import type { Reading, Slice } from '../upload.ts'
import type { Message } from './message.ts'

const main = fileURLToPath(new URL('./main.ts', import.meta.url))

/**
 * Reads a file in a process of its own, so that the service goes on answering, whatever the file does: with a heap of its
 * own and a deadline, since a file can be made to use up both. A thread would do for that, but Node's own loading of
 * TypeScript in one thread after another brought the whole process down. Whoever stops listening, or aborts, ends it.
 * @throws Refusal InvalidImportType, InvalidHeader, InvalidRequest
 */
export async function* readInProcess(reading: Reading, signal: AbortSignal): AsyncGenerator<Slice> {
  const late = new AbortController()
  const deadline = setTimeout(() => late.abort(), reading.limits.deadline)
  // Of the service's settings it needs none, and they hold secrets.
  const child = fork(main, {
    serialization: 'advanced',
    execArgv: [`--max-old-space-size=${reading.limits.heap}`],
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const gone = once(child, 'exit')
  gone.catch(() => undefined)
  try {
    const options = { close: ['disconnect'], signal: AbortSignal.any([signal, late.signal]) }
    const told = on(child, 'message', options) as AsyncIterable<[Message]>
    // That it could not be sent is heard as the end of the process.
    child.send(reading, () => undefined)
    for await (const [message] of told) {
      // The first word comes when all is read; how long the store takes is no fault of the file.
      clearTimeout(deadline)
      if ('refused' in message) throw new Refusal(message.refused.code, message.refused.message)
      if ('done' in message) return
      yield message.slice
    }
    await gone
    if (ranOutOfMemory(child)) throw new Refusal('InvalidRequest', 'The file takes too much memory to read.')
    throw new Error(`the process that reads a file ended without a word: ${child.signalCode ?? child.exitCode}`)
  } catch (error) {
    if (late.signal.aborted) throw new Refusal('InvalidRequest', 'The file takes too long to read.')
    if (signal.aborted) throw new Refusal('InvalidRequest', 'The upload was given up.')
    throw error
  } finally {
    clearTimeout(deadline)
    child.kill('SIGKILL')
    await gone.catch(() => undefined)
  }
}

/** Node aborts then; a system that is short of memory itself kills. */
function ranOutOfMemory({ signalCode }: ChildProcess): boolean {
  return signalCode === 'SIGABRT' || signalCode === 'SIGKILL'
}
