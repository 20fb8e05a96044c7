// Loaded into each thread of a worker process (--import), because workflows run in threads with separate heaps.
import { once } from 'node:events'
import { BroadcastChannel, isMainThread, threadId } from 'node:worker_threads'

/** Bytes, after a garbage collection in every thread. */
export interface Memory {
  /** Resident set size of the process. */
  readonly resident: number
  /** Live objects in the heaps of all threads. */
  readonly heap: number
}

interface HeapMessage {
  readonly thread: number
  /** Absent in the first message of a thread. */
  readonly heap?: number
}

const requests = new BroadcastChannel('bench: collect')
const responses = new BroadcastChannel('bench: collected')
const threads = new Set<number>()

if (isMainThread) {
  responses.onmessage = ({ data }) => threads.add((data as HeapMessage).thread)
} else {
  requests.onmessage = () => responses.postMessage({ thread: threadId, heap: collect() } satisfies HeapMessage)
  responses.postMessage({ thread: threadId } satisfies HeapMessage)
}
for (const channel of [requests, responses]) (channel as unknown as { unref(): void }).unref()

/** Collects the garbage of all threads and measures the rest. Called in the main thread. */
export async function measureMemory(): Promise<Memory> {
  if (threads.size === 0)
    throw new Error('The worker must run workflows in threads, and be started with --import of this file.')
  const incoming = new BroadcastChannel('bench: collected')
  const heaps = new Map<number, number>()
  requests.postMessage('collect')
  while (heaps.size < threads.size) {
    const [{ data }] = (await once(incoming, 'message')) as [{ data: HeapMessage }]
    if (data.heap !== undefined) heaps.set(data.thread, data.heap)
  }
  incoming.close()
  const own = collect()
  return { resident: process.memoryUsage.rss(), heap: [...heaps.values()].reduce((sum, heap) => sum + heap, own) }
}

/** Collects twice: objects that the first collection only finds unreachable are freed by the second. */
function collect(): number {
  if (globalThis.gc === undefined) throw new Error('The worker must be started with --expose-gc.')
  globalThis.gc()
  globalThis.gc()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
