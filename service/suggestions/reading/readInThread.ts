import { on } from 'node:events'
import { Worker } from 'node:worker_threads'
import { Refusal } from '../../operations/call.ts'
import type { Reading, Slice } from '../upload.ts'
import type { Message } from './message.ts'

const thread = new URL('./thread.ts', import.meta.url)

/**
 * Reads a file in a thread of its own, so that the service goes on answering: with a heap of its own and a deadline,
 * since a file can be made to use up both. Whoever stops listening, or aborts, ends the thread.
 * @throws Refusal InvalidImportType, InvalidHeader, InvalidRequest
 */
export async function* readInThread(reading: Reading, signal: AbortSignal): AsyncGenerator<Slice> {
  const late = new AbortController()
  const deadline = setTimeout(() => late.abort(), reading.limits.deadline)
  const worker = new Worker(thread, {
    workerData: reading,
    resourceLimits: { maxOldGenerationSizeMb: reading.limits.heap },
    stdout: true,
    stderr: true,
  })
  try {
    const options = { close: ['exit'], signal: AbortSignal.any([signal, late.signal]) }
    for await (const [message] of on(worker, 'message', options) as AsyncIterable<[Message]>) {
      // The first word comes when all is read; how long the store takes is no fault of the file.
      clearTimeout(deadline)
      if ('refused' in message) throw new Refusal(message.refused.code, message.refused.message)
      if ('done' in message) return
      yield message.slice
    }
    throw new Error('the thread that reads a file ended without a word')
  } catch (error) {
    if (late.signal.aborted) throw new Refusal('InvalidRequest', 'The file takes too long to read.')
    if (signal.aborted) throw new Refusal('InvalidRequest', 'The upload was given up.')
    if (isOutOfMemory(error)) throw new Refusal('InvalidRequest', 'The file takes too much memory to read.')
    throw error
  } finally {
    clearTimeout(deadline)
    await worker.terminate()
  }
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
}
