import type { Dispatcher, FormData } from 'undici'
import { isClosedByPeer, TimedOut, TransportError } from './transportError.ts'

export interface HttpRequest {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  /** A form is sent as multipart/form-data; undici writes the boundary into the content type. */
  readonly body: string | FormData
  /** Called with the number of bytes of each chunk of the body that was sent. */
  readonly onSent?: (bytes: number) => void
  /** Sends the request on a new connection instead of a kept one. */
  readonly newConnection?: boolean
}

export interface HttpResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
}

export interface PostSignals {
  /** The caller aborts it. */
  readonly signal?: AbortSignal | undefined
  /** The client aborts it when it is closed and waits no longer. */
  readonly cut: AbortSignal
}

/**
 * Posts a request and reads the complete response, within `timeout` milliseconds in all.
 *
 * Uses the dispatcher because only its events tell whether the request was sent: undici's `request` reports a refused
 * and a lost connection by the same errors.
 * @throws TransportError only
 */
export function post(
  agent: Dispatcher,
  request: HttpRequest,
  timeout: number,
  { signal, cut }: PostSignals,
): Promise<HttpResponse> {
  const { promise, resolve, reject } = createDeferred<HttpResponse>()
  const chunks: Buffer[] = []
  let started: Dispatcher.DispatchController | undefined
  let abortReason: Error | undefined
  let head: Pick<HttpResponse, 'status' | 'headers'> = { status: 0, headers: {} }

  const abort = (reason: Error) => {
    abortReason = reason
    reject(new TransportError(started !== undefined, reason))
    started?.abort(reason)
  }
  const aborted = () => abort(abortedBy(signal))
  const closed = () => abort(new Error('cut off by close'))
  const timer = setTimeout(() => abort(new TimedOut(timeout)), timeout)
  signal?.addEventListener('abort', aborted, { once: true })
  cut.addEventListener('abort', closed, { once: true })
  if (signal?.aborted) aborted()

  const { url, headers, body, onSent } = request
  const handler: Dispatcher.DispatchHandler = {
    onRequestStart(controller) {
      // Aborted while it waited for a connection: it must not be sent.
      if (abortReason === undefined) started = controller
      else controller.abort(abortReason)
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
      const sent = started !== undefined
      reject(new TransportError(sent, error, sent && head.status === 0 && isClosedByPeer(error)))
    },
  }
  if (abortReason === undefined) {
    agent.dispatch({ origin: url.origin, path: url.pathname + url.search, method: 'POST', headers, body }, handler)
  }
  return promise.finally(() => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', aborted)
    cut.removeEventListener('abort', closed)
  })
}

function abortedBy(signal: AbortSignal | undefined): Error {
  return new Error('aborted by the caller', { cause: signal?.reason })
}

/** Seconds of the `Retry-After` header; undefined without a valid one. */
export function retryAfter({ headers }: Pick<HttpResponse, 'headers'>): number | undefined {
  const text = headers['retry-after']
  if (typeof text !== 'string') return undefined
  if (/^\d{1,9}$/.test(text)) return Number(text)
  // `Date.parse` reads nearly every number as a year.
  const moment = /\d:\d\d/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(moment) ? undefined : Math.max(0, (moment - Date.now()) / 1_000)
}

/** The id under which the service logged the request; undefined without one that is safe to show. */
export function requestIdOf({ headers }: Pick<HttpResponse, 'headers'>): string | undefined {
  const id = headers['x-request-id']
  return typeof id === 'string' && /^[\w.:-]{1,100}$/.test(id) ? id : undefined
}

/** Stops waiting for a shared promise when the caller aborts. The other callers continue to wait. */
export async function waitUntilAborted<T>(shared: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return shared
  const { promise, reject } = createDeferred<never>()
  const aborted = () => reject(new TransportError(false, abortedBy(signal)))
  if (signal.aborted) aborted()
  signal.addEventListener('abort', aborted, { once: true })
  return Promise.race([shared, promise]).finally(() => signal.removeEventListener('abort', aborted))
}

/** `Promise.withResolvers`, which Node 20 lacks. */
function createDeferred<T>() {
  let settle: { resolve(value: T): void; reject(reason: unknown): void } | undefined
  const promise = new Promise<T>((resolve, reject) => {
    settle = { resolve, reject }
  })
  return { promise, resolve: (value: T) => settle?.resolve(value), reject: (reason: unknown) => settle?.reject(reason) }
}
