import { randomUUID } from 'node:crypto'
import { request } from 'undici'
import {
  adapterPaths,
  checkWebhookSignature,
  responseTimeout,
  webhookHeaders,
  webhookSignatureHeaders,
} from '#contract'

export interface Signing {
  /** Newest first. Default: the key of the adapter. */
  readonly keys?: readonly string[]
  /** The id in the signature and the header. */
  readonly id?: string
  /** Seconds that the clock of the sender is ahead. */
  readonly ahead?: number
  /** Headers that replace those of the signature; undefined removes one. */
  readonly headers?: Readonly<Record<string, string | undefined>>
  /** The body that is sent in place of the signed one. */
  readonly sent?: string
}

export interface AdapterResponse {
  /** 0 if the adapter cut the connection. */
  readonly status: number
  /** The parsed body; undefined if it is not JSON. */
  readonly json: unknown
  /** The fault of its signature, undefined if it is signed for the request. */
  readonly fault: string | undefined
}

/** An adapter, known by its address and its key only. */
export interface Adapter {
  post(path: keyof typeof adapterPaths, body: string, signing?: Signing): Promise<AdapterResponse>
}

/** @param url address of the adapter, without a trailing slash */
export function createAdapter(url: string, key: string): Adapter {
  return {
    async post(path, body, { keys = [key], id = randomUUID(), ahead = 0, headers = {}, sent = body } = {}) {
      const timestamp = Math.floor(Date.now() / 1_000) + ahead
      const signed: Record<string, string | undefined> = {
        'content-type': 'application/json',
        ...webhookSignatureHeaders(keys, id, timestamp, body),
        ...headers,
      }
      try {
        const response = await request(url + adapterPaths[path], {
          method: 'POST',
          headers: Object.fromEntries(Object.entries(signed).filter(([, value]) => value !== undefined)),
          body: sent,
          signal: AbortSignal.timeout(2 * responseTimeout),
        })
        const text = await response.body.text()
        const isOurs = response.headers[webhookHeaders.id] === id
        const now = Math.floor(Date.now() / 1_000)
        const fault = isOurs
          ? checkWebhookSignature([key], response.headers, text, now)
          : 'webhook-id is not that of the request'
        return { status: response.statusCode, json: parseJson(text), fault }
      } catch (error) {
        if (error instanceof Error && error.name === 'TimeoutError') throw new Error('no response in ten seconds')
        return { status: 0, json: undefined, fault: 'no response' }
      }
    },
  }
}

/** Undefined for a text that is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
