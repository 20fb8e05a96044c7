import { apiKeyHeader, type WeakScheme, weakSignature, webhookHeaders, webhookSignature } from '#contract'
import type { TenantRow } from '../store/tables.ts'
import type { Message } from './claims.ts'

/** Milliseconds for which the key before the last is signed with too (docs/decisions.md, Callback: Rotation). */
const rotation = 86_400_000

/** The keys that a tenant's callbacks are signed with now, the newest first. */
export function keysOf(tenant: TenantRow, now: number): readonly string[] {
  if (tenant.callback_key === null) return []
  const rotating = tenant.callback_key_since !== null && now < tenant.callback_key_since + rotation
  return rotating && tenant.callback_key_previous !== null
    ? [tenant.callback_key, tenant.callback_key_previous]
    : [tenant.callback_key]
}

/** Headers of one attempt: the tenant's own scheme by its newest key, and Standard Webhooks by all of them. */
export function headersOf(
  tenant: TenantRow,
  message: Message,
  weakScheme: WeakScheme,
  now: number,
): Record<string, string> {
  const keys = keysOf(tenant, now)
  const [newest] = keys
  const timestamp = Math.floor(now / 1_000)
  const headers: Record<string, string> = { 'content-type': 'application/json', 'user-agent': 'lockerflow' }
  if (newest === undefined) return headers
  headers[webhookHeaders.id] = message.message_id
  headers[webhookHeaders.timestamp] = String(timestamp)
  headers[webhookHeaders.signature] = webhookSignature(keys, message.message_id, timestamp, message.body)
  if (tenant.callback_auth_type === 'HMAC') {
    headers[weakScheme.header] = weakSignature(newest, message.shipment_uid, weakScheme)
  }
  if (tenant.callback_auth_type === 'ApiKey') headers[apiKeyHeader] = newest
  return headers
}
