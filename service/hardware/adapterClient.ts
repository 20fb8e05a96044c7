import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { Agent, type Dispatcher, request } from 'undici'
import type { z } from 'zod'
import {
  adapterPaths,
  checkWebhookSignature,
  maxMessageBytes,
  openResponse,
  responseTimeout,
  type StateResponse,
  stateResponse,
  webhookHeaders,
  webhookSignatureHeaders,
} from '#contract'
import { checkedLookup } from '#platform/addresses'
import { type AdapterContacts, AdapterError } from './contacts.ts'
import { type Door, findAdapter, type Hardware, type HardwareAdapter, type Opening } from './hardware.ts'

export interface AdapterClient extends Hardware {
  /**
   * Reads the state of a door.
   * @throws Error without a valid response in five seconds
   */
  readState(door: Door): Promise<StateResponse>
  /** Aborts what is under way, and closes the connections. */
  close(): Promise<void>
}

export interface AdapterClientOptions {
  readonly adapters: readonly HardwareAdapter[]
  /** Gets the result of each request. */
  readonly contacts: Pick<AdapterContacts, 'note'>
  /** Milliseconds since 1970. */
  readonly clock: () => number
}

/** Milliseconds before an open is retried; doubles each time, with a jitter of a half. */
const initialInterval = 100
/** Statuses of an adapter or a proxy that passes a request on again later. */
const passingStatuses: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504])

/** Statuses with which an adapter refuses one door or one request, while it serves others. */
const ownStatuses: ReadonlySet<number> = new Set([400, 404, 409, 413])

/** No response that counts, although the same request may have one later. */
class PassingFailure extends AdapterError {}

/** Creates a client of the adapters. Each request is signed with all keys of its adapter, and each
 * response is verified; redirects are not followed. */
export function createAdapterClient({ adapters, contacts, clock }: AdapterClientOptions): AdapterClient {
  // An operator names the address, so it may be private. Link-local addresses are never dialled.
  const agent = new Agent({ connect: { lookup: checkedLookup(true) }, pipelining: 1 })

  let closed = false

  async function post<Response>({ pupUid }: Door, message: Message<Response>): Promise<Response> {
    const adapter = findAdapter(adapters, pupUid)
    if (adapter === undefined) throw new Error(`no hardware adapter has the pick up point ${pupUid}`)
    try {
      const response = await exchange(adapter, message)
      contacts.note(adapter, undefined)
      return response
    } catch (error) {
      // A client that closes aborts its requests itself.
      if (!closed) contacts.note(adapter, error)
      throw error
    }
  }

  async function exchange<Response>(adapter: HardwareAdapter, message: Message<Response>): Promise<Response> {
    const { path, id, body, signal } = message
    const timestamp = Math.floor(clock() / 1_000)
    const sent = request(adapter.url + path, {
      dispatcher: agent,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'lockerflow',
        ...webhookSignatureHeaders(adapter.keys, id, timestamp, body),
      },
      body,
      signal,
    })
    const { statusCode, headers, body: stream } = await sent.catch(toPassing)
    const bytes = await readBytes(stream).catch(toPassing)
    return readResponse(adapter, message, { statusCode, headers, bytes, timestamp })
  }

  async function open(opening: Opening, signal: AbortSignal): Promise<boolean> {
    const { openId, timeout, ...door } = opening
    const expiresAt = performance.now() + timeout
    for (let interval = initialInterval; ; interval *= 2) {
      const validForMs = Math.max(1, Math.floor(expiresAt - performance.now()))
      const body = JSON.stringify({ type: 'open', openId, ...door, validForMs })
      try {
        const message = { path: adapterPaths.open, id: openId, body, schema: openResponse, signal }
        const { openId: answered, opened, state, reason } = await post(door, message)
        if (answered !== openId) throw new Error('the response of the adapter is for another openId')
        if (opened) return true
        throw new Error(`the adapter did not open the door: ${[state, reason].filter(Boolean).join(', ')}`)
      } catch (error) {
        // The id makes it safe to retry, whatever became of the first request.
        if (!(error instanceof PassingFailure) || signal.aborted) throw error
        await delay(interval * (0.75 + Math.random() / 2), undefined, { signal })
      }
    }
  }

  return {
    open,
    readState(door) {
      const body = JSON.stringify({ type: 'state', ...door })
      const signal = AbortSignal.timeout(responseTimeout)
      return post(door, { path: adapterPaths.state, id: randomUUID(), body, schema: stateResponse, signal })
    },
    close() {
      closed = true
      return agent.destroy()
    },
  }
}

interface Message<Response> {
  readonly path: string
  readonly id: string
  readonly body: string
  readonly schema: z.ZodType<Response>
  readonly signal: AbortSignal
}

interface Received {
  readonly statusCode: number
  readonly headers: Dispatcher.ResponseData['headers']
  readonly bytes: Buffer
  /** The time of the request, in seconds. */
  readonly timestamp: number
}

/** Verifies a response, and reads its body. @throws AdapterError */
function readResponse<Response>(
  adapter: HardwareAdapter,
  { id, schema }: Message<Response>,
  { statusCode, headers, bytes, timestamp }: Received,
): Response {
  if (passingStatuses.has(statusCode)) throw new PassingFailure(`the adapter responded with ${statusCode}`)
  if (statusCode !== 200) {
    const isFault = !ownStatuses.has(statusCode)
    throw new AdapterError(`the adapter refused the request with ${statusCode}`, { isFault })
  }
  // The id binds the response to this request, so an earlier response proves nothing.
  const isOurs = headers[webhookHeaders.id] === id
  const fault = isOurs
    ? checkWebhookSignature(adapter.keys, headers, bytes, timestamp)
    : 'webhook-id of another message'
  if (fault !== undefined) throw new AdapterError(`the response of the adapter is not signed for the request: ${fault}`)
  const read = schema.safeParse(parseJson(bytes))
  if (!read.success) throw new AdapterError('the response of the adapter is not one of the protocol')
  return read.data
}

/** A broken connection. An abort stays as it is. */
function toPassing(error: unknown): never {
  if (error instanceof Error && ['AbortError', 'TimeoutError'].includes(error.name)) throw error
  throw new PassingFailure('the adapter could not be reached', { cause: error })
}

async function readBytes(stream: Dispatcher.ResponseData['body']): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    bytes += chunk.length
    // Leaving the loop closes the connection.
    if (bytes > maxMessageBytes) return Buffer.alloc(0)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}
