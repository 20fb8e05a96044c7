import type { Agent, Dispatcher, FormData } from 'undici'

export interface Question {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  /** A form is sent as multipart/form-data, whose boundary undici writes into the content type. */
  readonly body: string | FormData
  /** Called with the bytes of each piece of the body that has left. */
  readonly onSent?: (bytes: number) => void
}

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
}

/** One exchange ended without a whole answer. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
  /** Whether some of the request may have left this machine. */
  readonly sent: boolean

  constructor(sent: boolean, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
    this.sent = sent
  }
}

/** Why we gave an exchange up; `limit` in milliseconds. */
export class TimedOut extends Error {
  override readonly name = 'TimedOut'

  constructor(limit: number) {
    super(`no answer within ${limit} ms`)
  }
}

/**
 * Posts and reads the whole answer, within `limit` milliseconds in all. Fails with NoAnswer only.
 * The dispatcher is used directly because it alone tells whether a request has left: undici's `request` reports a
 * refused and a lost connection by the same kinds of error.
 */
export function exchange(agent: Agent, question: Question, limit: number, signal?: AbortSignal): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const chunks: Buffer[] = []
  let started: Dispatcher.DispatchController | undefined
  let given: Error | undefined
  let head: Pick<Answer, 'status' | 'headers'> = { status: 0, headers: {} }

  const giveUp = (reason: Error) => {
    given = reason
    reject(new NoAnswer(started !== undefined, reason))
    started?.abort(reason)
  }
  const aborted = () => giveUp(new Error('aborted by the caller', { cause: signal?.reason }))
  const timer = setTimeout(() => giveUp(new TimedOut(limit)), limit)
  signal?.addEventListener('abort', aborted, { once: true })
  if (signal?.aborted) aborted()

  const { url, headers, body, onSent } = question
  const handler: Dispatcher.DispatchHandler = {
    onRequestStart(controller) {
      // Given up while it waited for a connection: it must not leave any more.
      if (given === undefined) started = controller
      else controller.abort(given)
    },
    onBodySent(chunk) {
      onSent?.(chunk.length)
    },
    onResponseStart(_, status, headers) {
      head = { status, headers }
    },
    onResponseData(_, chunk) {
      chunks.push(chunk)
    },
    onResponseEnd() {
      resolve({ ...head, text: new TextDecoder().decode(Buffer.concat(chunks)) })
    },
    onResponseError(_, error) {
      reject(new NoAnswer(started !== undefined, error))
    },
  }
  if (given === undefined) {
    agent.dispatch({ origin: url.origin, path: url.pathname + url.search, method: 'POST', headers, body }, handler)
  }
  return promise.finally(() => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', aborted)
  })
}

/** Seconds that the answer's Retry-After asks for; undefined when it has none that can be read. */
export function retryAfter({ headers }: Pick<Answer, 'headers'>): number | undefined {
  const text = headers['retry-after']
  if (typeof text !== 'string') return undefined
  if (/^\d{1,9}$/.test(text)) return Number(text)
  const moment = Date.parse(text)
  return Number.isNaN(moment) ? undefined : Math.max(0, (moment - Date.now()) / 1_000)
}
