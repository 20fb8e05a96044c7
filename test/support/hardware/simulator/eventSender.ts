import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { request } from 'undici'
import { type DoorEvent, eventRefusals, responseTimeout, webhookSignatureHeaders } from '#contract'

export interface EventSender {
  /** Queues an event. The events of one door are sent one after the other. */
  send(event: DoorEvent): void
  /** Events without a final response of the service. */
  pending(): number
  stop(): Promise<void>
}

export interface EventSenderOptions {
  /** Returns the service's address for events. While it is undefined, events are dropped. */
  readonly url: () => string | undefined
  /** Newest first. */
  readonly keys: readonly string[]
  /** Called when the service does not accept an event: once per reason, until it accepts one. */
  readonly onRefused: (reason: string) => void
}

/** Milliseconds before an event is sent again; doubles each time. */
const initialInterval = 100
const maximumInterval = 30_000

/** Sends signed events, each until the service gives a final response, with a backoff. */
export function createEventSender({ url, keys, onRefused }: EventSenderOptions): EventSender {
  const stopping = new AbortController()
  const queues = new Map<string, Promise<void>>()
  let pending = 0
  let reported: string | undefined

  function report(reason: string | undefined): void {
    if (reason !== undefined && reason !== reported) onRefused(reason)
    reported = reason
  }

  async function deliver(target: string, event: DoorEvent): Promise<void> {
    const id = randomUUID()
    const body = JSON.stringify(event)
    for (let interval = initialInterval; !stopping.signal.aborted; ) {
      if (await sendOnce(target, id, body)) return
      await delay(interval, undefined, { signal: stopping.signal }).catch(() => undefined)
      interval = Math.min(2 * interval, maximumInterval)
    }
  }

  /** Returns whether the response is final. */
  async function sendOnce(target: string, id: string, body: string): Promise<boolean> {
    // The time of this delivery, since the service refuses old ones.
    const timestamp = Math.floor(Date.now() / 1_000)
    try {
      const { statusCode, body: response } = await request(target, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...webhookSignatureHeaders(keys, id, timestamp, body),
        },
        body,
        signal: AbortSignal.any([stopping.signal, AbortSignal.timeout(responseTimeout)]),
      })
      await response.dump()
      const isAccepted = statusCode >= 200 && statusCode < 300
      const refusal = Object.entries(eventRefusals).find(([code]) => Number(code) === statusCode)?.[1]
      report(isAccepted ? undefined : `status ${statusCode}: ${refusal?.meaning ?? 'unexpected'}`)
      return isAccepted || refusal?.again === false
    } catch (error) {
      if (!stopping.signal.aborted) report(toReason(error))
      return false
    }
  }

  return {
    send(event) {
      const target = url()
      if (target === undefined) return
      pending++
      const previous = queues.get(event.lockerUid) ?? Promise.resolve()
      queues.set(
        event.lockerUid,
        previous.then(() => deliver(target, event)).finally(() => pending--),
      )
    },
    pending: () => pending,
    async stop() {
      stopping.abort()
      await Promise.all(queues.values())
    },
  }
}

/** Node reports several addresses that refuse a connection without a message. */
function toReason(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(toReason).join('; ')
  return error instanceof Error ? error.message : String(error)
}
