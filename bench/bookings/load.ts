// A separate process that sends the next request on each connection as soon as the last one is answered.
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { serveJobs } from '../child.ts'
import { quantile } from '../pairs.ts'
import { type Caller, openCaller } from './caller.ts'
import { bookingAt } from './places.ts'

/** A booking at another pick up point in each request. */
export interface BookingBodies {
  /** Further fields of each booking. */
  readonly fields: Readonly<Record<string, string>>
  /** True for an Idempotency-Key in each request. */
  readonly hasKeys: boolean
}

/** The request, the number of connections, and the duration. */
export interface Load {
  readonly origin: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** The body, or what differs in each request. */
  readonly body: string | BookingBodies
  readonly connections: number
  readonly milliseconds: number
  /** Limit on the number of requests. */
  readonly maxRequests: number
  /** Limit on the rate of requests; undefined without one. */
  readonly perSecond?: number | undefined
  /** A text that every response contains. */
  readonly expected: string
}

export interface LoadResult {
  readonly perSecond: number
  /** Responses without the expected text. */
  readonly unexpected: number
  /** The time that 99 of 100 responses took at most, in milliseconds. */
  readonly p99: number
}

serveJobs(send)

async function send(load: Load): Promise<LoadResult> {
  const callers = await Promise.all(Array.from({ length: load.connections }, () => openCaller(load.origin)))
  const toRequest = requestsOf(load)
  const started = performance.now()
  let sent = 0
  let responses = 0
  let unexpected = 0
  const times: number[] = []
  async function sendAll({ send }: Caller): Promise<void> {
    while (sent < load.maxRequests && performance.now() - started < load.milliseconds) {
      const request = toRequest(sent)
      const dueAt = load.perSecond === undefined ? 0 : started + (sent / load.perSecond) * 1_000
      sent++
      if (dueAt > performance.now()) await pause(dueAt - performance.now())
      const sentAt = performance.now()
      const response = await send(request)
      times.push(performance.now() - sentAt)
      responses++
      if (!response.includes(load.expected)) unexpected++
    }
  }
  await Promise.all(callers.map(sendAll))
  const seconds = (performance.now() - started) / 1_000
  for (const caller of callers) caller.close()
  return { perSecond: responses / seconds, unexpected, p99: quantile(times, 0.99) }
}

/** Returns a function from the number of a request to its text. */
function requestsOf({ origin, path, headers, body }: Load): (n: number) => string {
  const fields = Object.entries({ host: new URL(origin).host, ...headers })
  const head = [`POST ${path} HTTP/1.1`, ...fields.map(([name, value]) => `${name}: ${value}`)].join('\r\n')
  const toText = (key: string, json: string) => `${head}\r\n${key}content-length: ${json.length}\r\n\r\n${json}`
  if (typeof body === 'string') return () => toText('', body)
  return n => {
    const key = body.hasKeys ? `idempotency-key: ${randomUUID()}\r\n` : ''
    return toText(key, JSON.stringify({ ...bookingAt(n), ...body.fields }))
  }
}
