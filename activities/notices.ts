import { ApplicationFailure, activityInfo } from '@temporalio/activity'
import { Agent, request } from 'undici'
import { checkedLookup, formFault } from '#addresses'
import { retryAfter } from '#api'
import { webhookHeaders, webhookSignature } from '#contract'
import type { ErrorCode } from '#contract/terms'
import type { NoticeOrder, PlannedNotices } from './interface.ts'

/** Who is told of what flows do. */
export interface NoticeSettings {
  readonly url: string
  /** Of the signature, as UTF-8. */
  readonly key: string
  /** For how long a receiver is tried, in milliseconds; three days when left out. */
  readonly patience?: number
  /** So many notices of a flow may wait for their receiver; a hundred when left out. */
  readonly mostUnsent?: number
}

/** Temporal stops a flow that has two thousand children; reminders to a receiver that is away must not get there. */
const usual = { patience: 3 * 86_400_000, mostUnsent: 100 } as const satisfies PlannedNotices

/** What of the settings goes into a plan. */
export function plannedNotices({ patience, mostUnsent }: NoticeSettings): PlannedNotices {
  return { patience: patience ?? usual.patience, mostUnsent: mostUnsent ?? usual.mostUnsent }
}

/** Milliseconds for the answer, and for the connection. */
const [longestAnswer, longestConnecting] = [15_000, 5_000]

/** A receiver may ask for more patience than ours, up to a day, in milliseconds. */
const longestWish = 86_400_000

/** Bytes of an answer that are read; nobody looks at them. */
const mostRead = 64 * 1_024

const failed: ErrorCode = 'NoticeNotDelivered'

/**
 * Sends a notice once, as a Standard Webhooks message: 2xx in time is success, a redirect a failure. The address that
 * is checked is the one that is dialled. Failures name neither the address, which can hold a secret, nor what its
 * server wrote.
 */
export async function sendNotice(
  settings: NoticeSettings | undefined,
  { id, notice }: NoticeOrder,
  privateAllowed: boolean,
): Promise<void> {
  // Another worker may have them, or this one after its next start.
  if (settings === undefined) throw failure('This worker has no LOCKERFLOW_NOTICES_URL.')
  const { url, key } = settings
  if (formFault(url, privateAllowed) !== undefined) throw failure('The address is not one that notices may go to.')
  const body = JSON.stringify(notice)
  const signal = AbortSignal.timeout(longestAnswer)
  const agent = new Agent({ connect: { lookup: checkedLookup(privateAllowed), timeout: longestConnecting } })
  try {
    const headers = headersOf(key, id, body)
    const answer = await request(url, { dispatcher: agent, method: 'POST', headers, body, signal })
    await answer.body.dump({ limit: mostRead, signal }).catch(() => undefined)
    const { statusCode } = answer
    if (statusCode < 200 || statusCode > 299) {
      throw failure(`The receiver answered with HTTP ${statusCode}.`, retryAfter(answer))
    }
  } catch (error) {
    throw error instanceof ApplicationFailure ? error : failure(`The receiver was not reached: ${codeOf(error)}.`)
  } finally {
    await agent.destroy()
  }
}

function headersOf(key: string, id: string, body: string): Record<string, string> {
  const timestamp = Math.floor(Date.now() / 1_000)
  return {
    'content-type': 'application/json',
    'user-agent': 'lockerflow',
    [webhookHeaders.id]: id,
    [webhookHeaders.timestamp]: String(timestamp),
    [webhookHeaders.signature]: webhookSignature([key], id, timestamp, body),
  }
}

/** @param wish seconds that the receiver asked for */
function failure(message: string, wish?: number): ApplicationFailure {
  const pause = wish === undefined ? undefined : Math.min(wish * 1_000, longestWish)
  return ApplicationFailure.create({
    type: failed,
    message,
    // Ours grows by itself; a wish for less is none.
    ...(pause !== undefined && pause > ownPause() && { nextRetryDelay: pause }),
  })
}

/** What the retry policy of the workflow waits after this attempt, in milliseconds. */
function ownPause(): number {
  return Math.min(1_000 * 2 ** (activityInfo().attempt - 1), 3_600_000)
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'error'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}
