import { EventEmitter } from 'node:events'
import { Agent, request } from 'undici'
import { apiKeyHeader, type UidSignatureScheme, uidSignature, webhookHeaders, webhookSignature } from '#contract'
import { checkedLookup, createHostOwners, requestErrorCode, validateUrlSyntax } from '#platform/addresses'
import type { OpenSpan } from '#platform/telemetry'
import { type Secrets, UnknownDataKey } from '../encryption/index.ts'
import type { OutboxMessage, Tenant } from './claims.ts'
import { readRetryAfter } from './retryPolicy.ts'

export type DeliveryOutcome =
  | { readonly delivered: true; readonly status: number }
  /** `reason`: an HTTP status or an error code. `retryAfter`: milliseconds. */
  | { readonly delivered: false; readonly reason: string; readonly retryAfter?: number | undefined }

export interface Sender {
  /**
   * Sends a message once.
   * @param span continued by the receiver
   * @throws Error when the key of its signature cannot be decrypted
   */
  send(tenant: Tenant, message: OutboxMessage, span?: OpenSpan): Promise<DeliveryOutcome>
  /** Asks for the headers of an address, without a message. Any response reaches the receiver. */
  probe(url: string, tenantId: string): Promise<Probe>
  /** Aborts deliveries in flight, which then fail. */
  abort(): Promise<void>
}

export interface Probe {
  readonly reachable: boolean
  /** The status of the response, or the code of an error without a response. */
  readonly answer: string
}

interface SenderOptions {
  readonly secrets: Pick<Secrets, 'decrypt' | 'refresh'>
  readonly allowPrivateNetworks: boolean
  readonly uidSignatureScheme: UidSignatureScheme
  /** Milliseconds. */
  readonly timeout: number
  readonly clock: () => number
}

/** Bytes of a response body that are discarded to keep the connection reusable. */
const maxResponseBytes = 64 * 1_024
/** Checked URLs of tenants that the sender remembers. */
const maxChecked = 1_000
/** Milliseconds during which the previous key signs too, so that receivers need not change at the same moment. */
const keyOverlap = 86_400_000

/** Creates a sender over HTTP. Only a 2xx response in time is a success; redirects are not followed. */
export function createSender({
  secrets,
  allowPrivateNetworks,
  uidSignatureScheme,
  timeout,
  clock,
}: SenderOptions): Sender {
  const owners = createHostOwners()
  const lookup = checkedLookup(allowPrivateNetworks, { owners, timeout })
  const agent = new Agent({ connect: { lookup, timeout }, pipelining: 1 })
  const isAllowed = createUrlCheck(owners, allowPrivateNetworks)
  // The messages of a claim share the tenant.
  const signers = new WeakMap<Tenant, Tenant>()

  async function send(tenant: Tenant, message: OutboxMessage, span?: OpenSpan): Promise<DeliveryOutcome> {
    const url = tenant.callback_url
    if (url === null || !isAllowed(url, tenant.tenant_id)) return { delivered: false, reason: 'forbidden address' }
    const signer = signers.get(tenant) ?? tryDecryptKeys(secrets, tenant) ?? (await decryptKeysAgain(secrets, tenant))
    signers.set(tenant, signer)
    const headers = callbackHeaders(signer, message, uidSignatureScheme, clock())
    // Not the baggage, which is for our own processes.
    if (span !== undefined) headers.traceparent = span.traceparent()
    // Not an `AbortSignal`, whose timer and listeners took a quarter of the time of a delivery.
    const signal = Object.assign(new EventEmitter(), { reason: undefined as unknown })
    const timer = setTimeout(() => {
      signal.reason = new DOMException('The receiver has not responded in time.', 'TimeoutError')
      signal.emit('abort')
    }, timeout)
    try {
      const response = await request(url, {
        dispatcher: agent,
        method: 'POST',
        headers,
        body: message.body,
        signal,
      })
      const { statusCode, body } = response
      await body.dump({ limit: maxResponseBytes }).catch(() => undefined)
      if (statusCode >= 200 && statusCode < 300) return { delivered: true, status: statusCode }
      const retryAfter = readRetryAfter(response.headers['retry-after'], clock())
      return { delivered: false, reason: String(statusCode), retryAfter }
    } catch (error) {
      return { delivered: false, reason: requestErrorCode(error) }
    } finally {
      clearTimeout(timer)
    }
  }

  async function probe(url: string, tenantId: string): Promise<Probe> {
    if (!isAllowed(url, tenantId)) return { reachable: false, answer: 'forbidden address' }
    try {
      const headers = { 'user-agent': 'lockerflow' }
      const signal = AbortSignal.timeout(timeout)
      const { statusCode, body } = await request(url, { dispatcher: agent, method: 'HEAD', headers, signal })
      await body.dump({ limit: maxResponseBytes }).catch(() => undefined)
      return { reachable: true, answer: String(statusCode) }
    } catch (error) {
      return { reachable: false, answer: requestErrorCode(error) }
    }
  }

  return { send, probe, abort: () => agent.destroy() }
}

/** Checks URLs of tenants, each once. The lookup does not see hosts that are IP addresses. */
function createUrlCheck(owners: ReturnType<typeof createHostOwners>, allowPrivateNetworks: boolean) {
  /** By tenant and URL. */
  const checked = new Map<string, boolean>()
  return (url: string, tenantId: string): boolean => {
    const key = `${tenantId} ${url}`
    const known = checked.get(key)
    if (known !== undefined) return known
    if (checked.size >= maxChecked) checked.clear()
    const allowed = validateUrlSyntax(url, allowPrivateNetworks) === undefined
    checked.set(key, allowed)
    // Another owner than that of registrations: a host that does not answer must not block the registration of a new one.
    if (allowed) owners.add(new URL(url).hostname, `callbacks of ${tenantId}`)
    return allowed
  }
}

function tryDecryptKeys(secrets: Pick<Secrets, 'decrypt'>, tenant: Tenant): Tenant | undefined {
  try {
    return decryptKeys(secrets, tenant)
  } catch (error) {
    if (error instanceof UnknownDataKey) return undefined
    throw error
  }
}

/** Another process may have encrypted the key with a data key that this one has not read yet. */
async function decryptKeysAgain(secrets: SenderOptions['secrets'], tenant: Tenant): Promise<Tenant> {
  await secrets.refresh()
  return decryptKeys(secrets, tenant)
}

/** Headers of one delivery: id and time; with a key, its own scheme with the newest one, and Standard Webhooks with all. */
function callbackHeaders(
  tenant: Tenant,
  message: OutboxMessage,
  uidSignatureScheme: UidSignatureScheme,
  now: number,
): Record<string, string> {
  const keys = signingKeys(tenant, now)
  const [newest] = keys
  const timestamp = Math.floor(now / 1_000)
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'user-agent': 'lockerflow',
    [webhookHeaders.id]: message.message_id,
    [webhookHeaders.timestamp]: String(timestamp),
  }
  if (newest === undefined) return headers
  headers[webhookHeaders.signature] = webhookSignature(keys, message.message_id, timestamp, message.body)
  if (tenant.callback_auth_type === 'HMAC') {
    headers[uidSignatureScheme.header] = uidSignature(newest, message.shipment_uid, uidSignatureScheme)
  }
  if (tenant.callback_auth_type === 'ApiKey') headers[apiKeyHeader] = newest
  return headers
}

/** The keys that sign a tenant's callbacks now, newest first. */
function signingKeys(tenant: Tenant, now: number): readonly string[] {
  if (tenant.callback_key === null) return []
  const overlapping = tenant.callback_key_since !== null && now < tenant.callback_key_since + keyOverlap
  return overlapping && tenant.callback_key_previous !== null
    ? [tenant.callback_key, tenant.callback_key_previous]
    : [tenant.callback_key]
}

/** Returns the tenant with its callback keys decrypted. */
export function decryptKeys(secrets: Pick<Secrets, 'decrypt'>, tenant: Tenant): Tenant {
  const { tenant_id, callback_key, callback_key_previous } = tenant
  return {
    ...tenant,
    callback_key: callback_key && secrets.decrypt('tenants.callback_key', tenant_id, callback_key),
    callback_key_previous:
      callback_key_previous && secrets.decrypt('tenants.callback_key_previous', tenant_id, callback_key_previous),
  }
}
