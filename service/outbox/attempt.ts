import { Agent, request } from 'undici'
import { checkedLookup, formFault } from '#addresses'
import type { WeakScheme } from '#contract'
import type { TenantRow } from '../store/tables.ts'
import type { Message } from './claims.ts'
import { readRetryAfter } from './delivery.ts'
import { headersOf } from './headers.ts'

export type Outcome =
  | { readonly delivered: true }
  /** `why`: an HTTP status or an error's code. `retryAfter`: milliseconds. */
  | { readonly delivered: false; readonly why: string; readonly retryAfter?: number | undefined }

export interface Sender {
  /** Sends a message once. Never throws. */
  attempt(tenant: TenantRow, message: Message): Promise<Outcome>
  /** Cuts what is under way, which then has failed. */
  cut(): Promise<void>
}

interface SenderOptions {
  readonly privateCallbacks: boolean
  readonly weakScheme: WeakScheme
  /** Milliseconds. */
  readonly timeout: number
  readonly clock: () => number
}

/** Bytes of an answer that are read so that the connection can be used again; nobody looks at them. */
const longestAnswer = 64 * 1_024

/** What puts callbacks on the wire: 2xx in time is success, anything else a failure; redirects are not followed. */
export function createSender({ privateCallbacks, weakScheme, timeout, clock }: SenderOptions): Sender {
  const agent = new Agent({ connect: { lookup: checkedLookup(privateCallbacks), timeout }, pipelining: 1 })

  async function attempt(tenant: TenantRow, message: Message): Promise<Outcome> {
    const url = tenant.callback_url
    // An IP address is dialled without a lookup, so it is looked at here.
    if (url === null || formFault(url, privateCallbacks) !== undefined) return { delivered: false, why: 'address' }
    const signal = AbortSignal.timeout(timeout)
    try {
      const { statusCode, headers, body } = await request(url, {
        dispatcher: agent,
        method: 'POST',
        headers: headersOf(tenant, message, weakScheme, clock()),
        body: message.body,
        signal,
      })
      await body.dump({ limit: longestAnswer, signal }).catch(() => undefined)
      if (statusCode >= 200 && statusCode < 300) return { delivered: true }
      const retryAfter = readRetryAfter(headers['retry-after'], clock())
      return { delivered: false, why: String(statusCode), retryAfter }
    } catch (error) {
      return { delivered: false, why: nameOf(error) }
    }
  }

  return { attempt, cut: () => agent.destroy() }
}

function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return 'error'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}
