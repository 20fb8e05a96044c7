import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FlowActivities } from '#activities'
import type { FlowNotification } from '#flows'
import { planNotifications, sendNotification } from '../../activities/notifications.ts'
import { noticeKey } from '../support/flows/notifications.ts'
import { type Receiver, startReceiver } from '../support/servers/callbackReceiver.ts'
import { inAttempt, inContext } from '../support/world/useActivities.ts'

const data: FlowNotification['data'] = {
  flow: 'stock',
  caseNo: 'N-1',
  runId: 'run-1',
  sequence: 1,
  stage: 'dropOff',
  state: 'waiting',
  shipments: [],
}
const notification: FlowNotification = { type: 'flow.stageReached', timestamp: '2026-11-20T10:00:00.000Z', data }
const input = { id: 'n-1', deliveryTimeout: 60_000, notification }

let receiver: Receiver
beforeAll(async () => {
  receiver = await startReceiver()
})
afterAll(() => receiver.stop())

/** Sends the notification as the worker does. */
function send(attempt = 1): Promise<void> {
  const settings = { url: receiver.url, key: noticeKey }
  const { sendNotification: run } = inContext({
    sendNotification: given => sendNotification(settings, given, true),
  } as FlowActivities)
  return inAttempt(attempt, () => run(input))
}

describe('a receiver that sends Retry-After', () => {
  const [hour, day] = [3_600_000, 86_400_000]

  test.each([
    // A delay of zero would end the retries.
    ['0', 1, undefined],
    ['1', 1, undefined],
    ['2', 1, 2_000],
    ['4', 3, undefined],
    ['5', 3, 5_000],
    ['3600', 40, undefined],
    ['3601', 40, hour + 1_000],
    ['86401', 1, day],
  ])('of %s seconds in attempt %i', async (seconds, attempt, nextRetryDelay) => {
    receiver.answer(() => ({ status: 503, headers: { 'retry-after': seconds } }))
    await expect(send(attempt)).rejects.toMatchObject({
      type: 'NotificationNotDelivered',
      nonRetryable: false,
      nextRetryDelay,
    })
  })
})

test.each([
  [299, true],
  [300, false],
  [304, false],
  [410, false],
])('the status %i: delivered %j', async (status, delivered) => {
  receiver.answer(() => ({ status }))
  expect(
    await send().then(
      () => true,
      () => false,
    ),
  ).toBe(delivered)
})

test('a host name of a private address is not dialled', async () => {
  const settings = { url: `https://localhost:${receiver.port}/`, key: noticeKey }
  const before = receiver.received.length
  const { sendNotification: run } = inContext({
    sendNotification: given => sendNotification(settings, given, false),
  } as FlowActivities)
  await expect(run(input)).rejects.toMatchObject({ message: expect.stringContaining('EFORBIDDENADDRESS') })
  expect(receiver.received).toHaveLength(before)
})

test('a worker that stops aborts the request to a receiver that does not respond', async () => {
  receiver.answer(() => new Promise(() => undefined))
  const stopping = new AbortController()
  const before = receiver.received.length
  const settings = { url: receiver.url, key: noticeKey }
  const sent = sendNotification(settings, input, true, stopping.signal)
  await receiver.until(before + 1)
  stopping.abort()
  await expect(sent).rejects.toMatchObject({ message: expect.stringContaining('AbortError') })
})

test('a receiver may be away for three days by default, and a hundred notifications wait for it', () => {
  const settings = { url: receiver.url, key: noticeKey }
  expect(planNotifications(settings)).toEqual({ deliveryTimeout: 3 * 86_400_000, maxUndelivered: 100 })
  const given = { deliveryTimeout: 1, maxUndelivered: 2 }
  expect(planNotifications({ ...settings, ...given })).toEqual(given)
})
