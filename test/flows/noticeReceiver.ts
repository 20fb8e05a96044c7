import { expect } from 'vitest'
import { webhookFault } from '#contract'
import type { Notice } from '#contract/terms'
import type { Received, Receiver } from '../service/receiver.ts'
import { eventually } from './eventually.ts'

export const noticeKey = 'a-key-of-notices-of-32-characters'

/** Whether a message is signed by this key. */
export function isSignedBy(key: string, { headers, body }: Pick<Received, 'headers' | 'body'>): boolean {
  return webhookFault([key], headers, body, Date.now() / 1_000) === undefined
}

/** The notices of a case that a receiver got, each message once, in the order of their sequence. */
export function noticesOf({ received }: Pick<Receiver, 'received'>, caseNo: string): Notice[] {
  const byId = new Map<unknown, Notice>()
  for (const message of received) {
    const notice: Notice = JSON.parse(message.body)
    if (notice.data.caseNo !== caseNo) continue
    expect(isSignedBy(noticeKey, message)).toBe(true)
    byId.set(message.headers['webhook-id'], notice)
  }
  return [...byId.values()].sort((one, other) => one.data.sequence - other.data.sequence)
}

/** The same, once the end of the flow and all before it are among them. */
export function allNoticesOf(receiver: Receiver, caseNo: string, within?: number): Promise<Notice[]> {
  return eventually(() => {
    const notices = noticesOf(receiver, caseNo)
    const last = notices.at(-1)
    return last?.type === 'flow.ended' && notices.length === last.data.sequence ? notices : undefined
  }, within)
}
