import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { root } from '../project/sources.ts'
import { eventually } from '../support/eventually.ts'
import { requestOf } from '../support/flows/booking.ts'
import { noticeKey } from '../support/flows/notifications.ts'
import { startReceiver } from '../support/servers/callbackReceiver.ts'
import { useWorld } from '../support/world/useWorld.ts'
import { readBlocks } from './blocks.ts'
import { startSnippet } from './receivers.ts'

const world = useWorld()
const { text: page } = readBlocks('how-to/receive-callbacks.md').find(
  ({ heading }) => heading === 'Send access codes',
) ?? { text: '' }

/** The program of the page, with the addresses and the case of this test. */
function programFor(caseNo: string, mails: string): string {
  const entry = (name: string) => pathToFileURL(join(root, 'packages/build/entries', `${name}.ts`)).href
  const { baseUrl } = world.apiSettings
  const replaced = [
    ['@lockerflow/api/contract', entry('contract')],
    ['@lockerflow/api', entry('api')],
    ['LOCKERFLOW_NOTIFICATIONS_KEY', 'CALLBACK_KEY'],
    ['http://127.0.0.1:8080', baseUrl],
    ['http://127.0.0.1:8025/mails', mails],
    ['I1701-1982', caseNo],
  ] as const
  return replaced.reduce((text, [from, to]) => {
    expect(text).toContain(from)
    return text.replaceAll(from, to)
  }, page)
}

test('the program of the page mails the code once the item is in the locker, again after a mail that failed', async () => {
  const mails = await startReceiver((_, count) => ({ status: count === 1 ? 503 : 204 }))
  onTestFinished(() => mails.stop())
  const caseNo = world.newCase()
  const program = await startSnippet('ts', programFor(caseNo, mails.url), noticeKey)
  onTestFinished(() => program.stop())
  await world.restartWorker({ notifications: { url: program.url, key: noticeKey } })

  const booking = await world.flows.startAndWaitForBooking('issue', { caseNo, request: requestOf(world, 'issue') })
  if (booking.kind !== 'Booked' || booking.shipments[0] === undefined) throw new Error(JSON.stringify(booking))
  const [{ shipmentUid, lockerName }] = booking.shipments
  const codes = await world.api.call('GetShipmentAccessCode', { shipmentUid }, { withCodes: true })
  await world.open(booking.shipments[0], 'deliveryCode')

  await eventually(() => mails.received.length === 2)
  const text = `Your item is in locker ${lockerName}. Your code is ${codes.pickUpCode}.`
  for (const { body } of mails.received) expect(JSON.parse(body)).toEqual({ to: 'kim@example.com', text })
  await world.open(booking.shipments[0], 'pickUpCode')
  expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
  expect(mails.received).toHaveLength(2)
})
