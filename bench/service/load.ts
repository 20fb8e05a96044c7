// A process of its own that sends requests as fast as they are answered.
import { Pool } from 'undici'
import { serveJobs } from '../child.ts'
import { bookingAt } from './places.ts'

/** What to send, how many at once, and for how long. */
export interface Load {
  readonly origin: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** A body, or `booking` for a different one each time. */
  readonly body: string
  readonly connections: number
  readonly milliseconds: number
  /** No more than this. */
  readonly most: number
  /** What an answer has to contain. */
  readonly expected: string
}

/** What came of it. */
export interface LoadResult {
  readonly perSecond: number
  /** Answers that were not as expected. */
  readonly unexpected: number
}

serveJobs(send)

async function send(load: Load): Promise<LoadResult> {
  const pool = new Pool(load.origin, { connections: load.connections, pipelining: 1 })
  const started = performance.now()
  let sent = 0
  let answers = 0
  let unexpected = 0
  async function caller(): Promise<void> {
    while (sent < load.most && performance.now() - started < load.milliseconds) {
      const body = load.body === 'booking' ? JSON.stringify(bookingAt(sent)) : load.body
      sent++
      const response = await pool.request({ method: 'POST', path: load.path, headers: load.headers, body })
      const text = await response.body.text()
      answers++
      if (!text.includes(load.expected)) unexpected++
    }
  }
  await Promise.all(Array.from({ length: load.connections }, caller))
  const seconds = (performance.now() - started) / 1_000
  await pool.close()
  return { perSecond: answers / seconds, unexpected }
}
