import { expect } from 'vitest'
import { checkWebhookSignature } from '#contract'
import type { FlowNotification } from '#flows'
import { eventually } from '../eventually.ts'
import type { Received, Receiver } from '../servers/callbackReceiver.ts'

export const noticeKey = 'a-key-of-notifications-of-32-characters'

/** True if this key signed the message. */
export function isSignedBy(key: string, { headers, body }: Pick<Received, 'headers' | 'body'>): boolean {
  return checkWebhookSignature([key], headers, body, Date.now() / 1_000) === undefined
}

/** The notifications of a case that reached a receiver, without duplicates, by sequence number. */
export function noticesOf({ received }: Pick<Receiver, 'received'>, caseNo: string): FlowNotification[] {
  const byId = new Map<unknown, FlowNotification>()
  for (const message of received) {
    const notification: FlowNotification = JSON.parse(message.body)
    if (notification.data.caseNo !== caseNo) continue
    expect(isSignedBy(noticeKey, message)).toBe(true)
    byId.set(message.headers['webhook-id'], notification)
  }
  return [...byId.values()].sort((one, other) => one.data.sequence - other.data.sequence)
}

/** Returns the notifications of a case once all of them up to the end of the flow have arrived. */
export function allNoticesOf(receiver: Receiver, caseNo: string): Promise<FlowNotification[]> {
  return eventually(() => {
    const notifications = noticesOf(receiver, caseNo)
    const last = notifications.at(-1)
    return last?.type === 'flow.ended' && notifications.length === last.data.sequence ? notifications : undefined
  })
}
