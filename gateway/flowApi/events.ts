import { setTimeout as delay } from 'node:timers/promises'
import { WorkflowNotFoundError } from '@temporalio/client'
import type { Watched } from '#client'
import type { FlowDeclaration } from '#flows/declaration'
import type { Flows } from './operations.ts'
import { toPublicResult } from './publicMessages.ts'

type Item = Watched<string, FlowDeclaration>

/** Milliseconds between two comments of a quiet stream. Proxies close connections that are silent for a minute. */
const heartbeat = 15_000

/** Milliseconds within which Temporal says whether it has a case. */
const describeTimeout = 5_000

/** Milliseconds after which a client connects again. */
const retry = 2_000

/** The id of the last event. A client that sends it has received the end. */
export const endId = 'end'

/** A followed flow, as the text of a response of type text/event-stream. */
export interface EventStream {
  /** Set if there is nothing to follow: the case is unknown, or the cursor is invalid. */
  readonly refusal?: Extract<Item, { kind: 'Refused' | 'UnknownCase' }>
  chunks(): AsyncGenerator<string, void, undefined>
}

/**
 * Follows a flow.
 * @param after the id of the last event that the client received
 * @throws FlowCallError when Temporal denies access or cannot be reached
 */
export async function followFlow(
  flows: Flows,
  caseNo: string,
  { after, signal }: { readonly after: string | undefined; readonly signal: AbortSignal },
): Promise<EventStream> {
  const items = untilAborted(flows.watch(caseNo, { signal, ...(after !== undefined && { after }) }), signal)
  const first = items.next()
  // Both are read below. An error that comes before must not end the process.
  first.catch(() => undefined)
  const isKnown = await exists(flows, caseNo)
  // The watch refuses an invalid cursor before its first call, so this item is there by now.
  const early = await Promise.race([first, Promise.resolve(undefined)])
  const refused = early?.value
  if (refused?.kind === 'Refused' && refused.code === 'InvalidCursor') return { refusal: refused, chunks }
  if (!isKnown) {
    const { value } = await first
    if (value?.kind === 'UnknownCase') return { refusal: value, chunks }
  }
  return { chunks }

  async function* chunks(): AsyncGenerator<string, void, undefined> {
    yield `retry: ${retry}\n\n`
    for (let next = first; ; ) {
      const item = await orHeartbeat(next)
      if (item === 'quiet') {
        yield ': waiting\n\n'
        continue
      }
      if (item.done) return
      yield toEvent(item.value)
      next = items.next()
      next.catch(() => undefined)
    }
  }
}

/** Asks Temporal, which needs no worker. Without a response the stream begins, and says why it has no news. */
async function exists(flows: Flows, caseNo: string): Promise<boolean> {
  const handle = flows.handle(caseNo)
  try {
    await handle.client.withDeadline(Date.now() + describeTimeout, () => handle.describe())
    return true
  } catch (error) {
    return !(error instanceof WorkflowNotFoundError)
  }
}

/** Ends when its signal aborts. The caller has gone then, or connects again and receives the reason. */
async function* untilAborted(items: AsyncGenerator<Item>, signal: AbortSignal): AsyncGenerator<Item, void, undefined> {
  try {
    yield* items
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

async function orHeartbeat<Value>(next: Promise<Value>): Promise<Value | 'quiet'> {
  const timer = new AbortController()
  try {
    return await Promise.race([next, delay(heartbeat, 'quiet' as const, { signal: timer.signal, ref: false })])
  } finally {
    timer.abort()
  }
}

/** JSON contains no line break, so that an item is one line. */
function toEvent(item: Item): string {
  const isEnd = item.kind === 'Ended' || item.kind === 'Refused' || item.kind === 'UnknownCase'
  const id = isEnd ? endId : 'cursor' in item ? item.cursor : undefined
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${item.kind}\ndata: ${JSON.stringify(toPublicResult(item))}\n\n`
}
