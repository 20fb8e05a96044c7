import { Agent, request } from 'undici'
import { checkedLookup, validateUrlSyntax } from '#addresses'
import { apiKeyHeader, type UidSignatureScheme, uidSignature, webhookHeaders, webhookSignature } from '#contract'
import type { TenantRow } from '../store/tables.ts'
import type { OutboxMessage } from './claims.ts'
import { readRetryAfter } from './retryPolicy.ts'

export type DeliveryOutcome =
  | { readonly delivered: true }
  /** `reason`: an HTTP status or an error code. `retryAfter`: milliseconds. */
  | { readonly delivered: false; readonly reason: string; readonly retryAfter?: number | undefined }

export interface Sender {
  /** Sends a message once. Never throws. */
  send(tenant: TenantRow, message: OutboxMessage): Promise<DeliveryOutcome>
  /** Aborts deliveries in flight, which then fail. */
  abort(): Promise<void>
}

interface SenderOptions {
  readonly allowPrivateNetworks: boolean
  readonly uidSignatureScheme: UidSignatureScheme
  /** Milliseconds. */
  readonly timeout: number
  readonly clock: () => number
}

/** Bytes of a response body that are discarded to keep the connection reusable. */
const maxResponseBytes = 64 * 1_024
/** Milliseconds during which the previous key signs too (D-020). */
const keyOverlap = 86_400_000

/** Creates a sender over HTTP. Only a 2xx response in time is a success; redirects are not followed. */
export function createSender({ allowPrivateNetworks, uidSignatureScheme, timeout, clock }: SenderOptions): Sender {
  const agent = new Agent({ connect: { lookup: checkedLookup(allowPrivateNetworks), timeout }, pipelining: 1 })

  async function send(tenant: TenantRow, message: OutboxMessage): Promise<DeliveryOutcome> {
    const url = tenant.callback_url
    // The lookup does not see hosts that are IP addresses, so check them here.
    if (url === null || validateUrlSyntax(url, allowPrivateNetworks) !== undefined)
      return { delivered: false, reason: 'forbidden address' }
    const signal = AbortSignal.timeout(timeout)
    try {
      const { statusCode, headers, body } = await request(url, {
        dispatcher: agent,
        method: 'POST',
        headers: callbackHeaders(tenant, message, uidSignatureScheme, clock()),
        body: message.body,
        signal,
      })
      await body.dump({ limit: maxResponseBytes, signal }).catch(() => undefined)
      if (statusCode >= 200 && statusCode < 300) return { delivered: true }
      const retryAfter = readRetryAfter(headers['retry-after'], clock())
      return { delivered: false, reason: String(statusCode), retryAfter }
    } catch (error) {
      return { delivered: false, reason: errorCode(error) }
    }
  }

  return { send, abort: () => agent.destroy() }
}

/** Headers of one delivery: the tenant's own scheme with the newest key, and Standard Webhooks with all keys. */
function callbackHeaders(
  tenant: TenantRow,
  message: OutboxMessage,
  uidSignatureScheme: UidSignatureScheme,
  now: number,
): Record<string, string> {
  const keys = signingKeys(tenant, now)
  const [newest] = keys
  const timestamp = Math.floor(now / 1_000)
  const headers: Record<string, string> = { 'content-type': 'application/json', 'user-agent': 'lockerflow' }
  if (newest === undefined) return headers
  headers[webhookHeaders.id] = message.message_id
  headers[webhookHeaders.timestamp] = String(timestamp)
  headers[webhookHeaders.signature] = webhookSignature(keys, message.message_id, timestamp, message.body)
  if (tenant.callback_auth_type === 'HMAC') {
    headers[uidSignatureScheme.header] = uidSignature(newest, message.shipment_uid, uidSignatureScheme)
  }
  if (tenant.callback_auth_type === 'ApiKey') headers[apiKeyHeader] = newest
  return headers
}

/** The keys that sign a tenant's callbacks now, newest first. */
function signingKeys(tenant: TenantRow, now: number): readonly string[] {
  if (tenant.callback_key === null) return []
  const overlapping = tenant.callback_key_since !== null && now < tenant.callback_key_since + keyOverlap
  return overlapping && tenant.callback_key_previous !== null
    ? [tenant.callback_key, tenant.callback_key_previous]
    : [tenant.callback_key]
}

function errorCode(error: unknown): string {
  if (!(error instanceof Error)) return 'error'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}
