// A separate process that sends the next request on each connection as soon as the last one is answered.
import { Pool } from 'undici'
import { serveJobs } from '../child.ts'
import { bookingAt } from './places.ts'

/** The request, the number of connections, and the duration. */
export interface Load {
  readonly origin: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** The body, or `booking` for a different one in each request. */
  readonly body: string
  readonly connections: number
  readonly milliseconds: number
  /** Limit on the number of requests. */
  readonly most: number
  /** A text that every response contains. */
  readonly expected: string
}

export interface LoadResult {
  readonly perSecond: number
  /** Responses without the expected text. */
  readonly unexpected: number
}

serveJobs(send)

async function send(load: Load): Promise<LoadResult> {
  const pool = new Pool(load.origin, { connections: load.connections, pipelining: 1 })
  const started = performance.now()
  let sent = 0
  let responses = 0
  let unexpected = 0
  async function caller(): Promise<void> {
    while (sent < load.most && performance.now() - started < load.milliseconds) {
      const body = load.body === 'booking' ? JSON.stringify(bookingAt(sent)) : load.body
      sent++
      const response = await pool.request({ method: 'POST', path: load.path, headers: load.headers, body })
      const text = await response.body.text()
      responses++
      if (!text.includes(load.expected)) unexpected++
    }
  }
  await Promise.all(Array.from({ length: load.connections }, caller))
  const seconds = (performance.now() - started) / 1_000
  await pool.close()
  return { perSecond: responses / seconds, unexpected }
}
