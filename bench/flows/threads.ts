// Loaded into each thread of a worker process (--import), since workflows live in a thread with a heap of its own.
import { once } from 'node:events'
import { BroadcastChannel, isMainThread, threadId } from 'node:worker_threads'

/** In bytes, after the garbage has been collected in every thread. */
export interface Memory {
  /** Of the process, as the system counts it. */
  readonly resident: number
  /** What is alive in the heaps of its threads. */
  readonly heap: number
}

interface Answer {
  readonly thread: number
  /** Left out by a thread that has just begun. */
  readonly heap?: number
}

const orders = new BroadcastChannel('bench: collect')
const answers = new BroadcastChannel('bench: collected')
const threads = new Set<number>()

if (isMainThread) {
  answers.onmessage = ({ data }) => threads.add((data as Answer).thread)
} else {
  orders.onmessage = () => answers.postMessage({ thread: threadId, heap: collect() } satisfies Answer)
  answers.postMessage({ thread: threadId } satisfies Answer)
}
for (const channel of [orders, answers]) (channel as unknown as { unref(): void }).unref()

/** Collects the garbage of all threads and measures what is left; called in the main thread. */
export async function measureMemory(): Promise<Memory> {
  if (threads.size === 0) throw new Error('no thread runs workflows, or none was started with --import')
  const heard = new BroadcastChannel('bench: collected')
  const heaps = new Map<number, number>()
  orders.postMessage('collect')
  while (heaps.size < threads.size) {
    const [{ data }] = (await once(heard, 'message')) as [{ data: Answer }]
    if (data.heap !== undefined) heaps.set(data.thread, data.heap)
  }
  heard.close()
  const own = collect()
  return { resident: process.memoryUsage.rss(), heap: [...heaps.values()].reduce((sum, heap) => sum + heap, own) }
}

/** Twice: what the first time only finds to be unreachable, the second time frees. */
function collect(): number {
  if (globalThis.gc === undefined) throw new Error('start it with --expose-gc')
  globalThis.gc()
  globalThis.gc()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
