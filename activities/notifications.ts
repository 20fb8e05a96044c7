import { ApplicationFailure, activityInfo } from '@temporalio/activity'
import { Agent, request } from 'undici'
import { webhookSignatureHeaders } from '#contract'
import { retryAfter } from '#contract/client'
import { type ErrorCode, withReference } from '#contract/terms'
import type { PlannedNotifications } from '#flows'
import { checkedLookup, requestErrorCode, validateUrlSyntax } from '#platform/addresses'
import { tracing } from '#platform/telemetry'
import { addLinks, type DecisionLinkSettings } from './decisionLinks.ts'
import type { DeliverNotificationInput } from './interface.ts'

/** The receiver of notifications. */
export interface NotificationSettings {
  readonly url: string
  /** The key of the signature, as UTF-8. */
  readonly key: string
  /** The previous key. It also signs while receivers change theirs. */
  readonly previousKey?: string
  /** Milliseconds for which a receiver may be unreachable; three days by default. */
  readonly deliveryTimeout?: number
  /** Makes links by which people decide about an overdue flow. */
  readonly links?: DecisionLinkSettings
  /** Undelivered notifications of one flow beyond which only its end is sent; a hundred by default. */
  readonly maxUndelivered?: number
}

/** Temporal fails a flow with two thousand pending children, which reminders to an unreachable receiver must not reach. */
const defaults = { deliveryTimeout: 3 * 86_400_000, maxUndelivered: 100 } as const satisfies PlannedNotifications

/** The settings that go into a plan. The address and the key stay out of histories. */
export function planNotifications({ deliveryTimeout, maxUndelivered }: NotificationSettings): PlannedNotifications {
  return {
    deliveryTimeout: deliveryTimeout ?? defaults.deliveryTimeout,
    maxUndelivered: maxUndelivered ?? defaults.maxUndelivered,
  }
}

/** Timeouts of the response and of the connection, in milliseconds. */
const [responseTimeout, connectTimeout] = [15_000, 5_000]

/** Caps the Retry-After of a receiver, in milliseconds. */
const maxRetryAfter = 86_400_000

/** Bytes of a response that are read and dropped. */
const maxResponse = 64 * 1_024

const notDelivered: ErrorCode = 'NotificationNotDelivered'

/**
 * Sends a notification once, as a Standard Webhooks message: 2xx in time is success, a redirect a failure. The address
 * is checked when it is dialled. Failures contain neither the address, which can hold a secret, nor the response.
 * @param cancelled aborts the request, when the worker stops
 */
export async function sendNotification(
  settings: NotificationSettings | undefined,
  { id, notification }: DeliverNotificationInput,
  allowPrivateNetworks: boolean,
  cancelled?: AbortSignal,
): Promise<void> {
  // Another worker may have the settings, or this one after a restart.
  if (settings === undefined) throw failure('LOCKERFLOW_NOTIFICATIONS_URL is not set on this worker.')
  const { url, key, previousKey, links } = settings
  if (validateUrlSyntax(url, allowPrivateNetworks) !== undefined) {
    throw failure('LOCKERFLOW_NOTIFICATIONS_URL must not lead to a private address.')
  }
  const body = JSON.stringify(links === undefined ? notification : addLinks(links, id, notification))
  const timeout = AbortSignal.timeout(responseTimeout)
  const signal = cancelled === undefined ? timeout : AbortSignal.any([timeout, cancelled])
  const agent = new Agent({ connect: { lookup: checkedLookup(allowPrivateNetworks), timeout: connectTimeout } })
  try {
    const headers = toHeaders(previousKey === undefined ? [key] : [key, previousKey], id, body)
    const response = await request(url, { dispatcher: agent, method: 'POST', headers, body, signal })
    await response.body.dump({ limit: maxResponse, signal }).catch(() => undefined)
    const { statusCode } = response
    if (statusCode < 200 || statusCode > 299) {
      throw failure(`The receiver responded with HTTP ${statusCode}.`, retryAfter(response))
    }
  } catch (error) {
    throw error instanceof ApplicationFailure
      ? error
      : failure(`The receiver could not be reached: ${requestErrorCode(error)}.`)
  } finally {
    await agent.destroy()
  }
}

function toHeaders(keys: readonly string[], id: string, body: string): Record<string, string> {
  const timestamp = Math.floor(Date.now() / 1_000)
  // The receiver learns two random numbers, and nothing of other systems.
  const traceparent = tracing?.traceparent()
  return {
    'content-type': 'application/json',
    'user-agent': 'lockerflow',
    ...webhookSignatureHeaders(keys, id, timestamp, body),
    ...(traceparent && { traceparent }),
  }
}

/** @param seconds the Retry-After of the receiver */
function failure(message: string, seconds?: number): ApplicationFailure {
  const delay = seconds === undefined ? undefined : Math.min(seconds * 1_000, maxRetryAfter)
  return ApplicationFailure.create({
    type: notDelivered,
    message: withReference(notDelivered, message),
    // Ignore a Retry-After that is shorter than our own backoff.
    ...(delay !== undefined && delay > ownBackoff() && { nextRetryDelay: delay }),
  })
}

/** The workflow's retry policy after this attempt, in milliseconds. */
function ownBackoff(): number {
  return Math.min(1_000 * 2 ** (activityInfo().attempt - 1), 3_600_000)
}
