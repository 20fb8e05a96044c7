import { beforeAll, expect, test } from 'vitest'
import { textOf } from '../../support/flows/history.ts'
import { allNoticesOf, noticeKey } from '../../support/flows/notifications.ts'
import { requireRole } from '../../support/flows/underway.ts'
import { useWorkshop } from '../../support/flows/useWorkshop.ts'
import { type Receiver, startReceiver } from '../../support/servers/callbackReceiver.ts'
import { useWorld } from '../../support/world/useWorld.ts'

const world = useWorld()
let receiver: Receiver
beforeAll(async () => {
  receiver = await startReceiver(() => ({ status: 204 }))
  return () => receiver.stop()
})

const { start, bringIn, give, putBack, handleOf } = useWorkshop(world, {
  changes: () => ({ notifications: { url: receiver.url, key: noticeKey } }),
})

const asks = { who: 'customer', answers: ['agree', 'decline'] }

test('a custom flow reports its stages, its questions and its end, without fields of answers', async () => {
  const caseNo = await start(2, { offer: '300ms' })
  const device = await bringIn(caseNo)
  await world.statusWhen(caseNo, ({ overdue }) => overdue)
  await give(caseNo, { step: 'offer', answer: 'agree', fields: { cents: 49_123 } })
  await putBack(caseNo)
  const notifications = await allNoticesOf(receiver, caseNo)
  const common = { flow: 'workshop', caseNo, runId: expect.any(String) }
  const timestamp = expect.stringMatching(/^\d{4}-.*Z$/)
  const { shipmentUid, pupUid, lockerName } = device
  const brought = { role: 'device', shipmentUid, stateCode: 'ReadyForPickup', pupUid, lockerName }
  const back = { ...requireRole(notifications.at(-1)?.data.shipments ?? [], 'back'), stateCode: 'ReadyForPickup' }
  const atOffer = { ...common, stage: 'offer', asks, shipments: [brought] }
  expect(notifications).toEqual([
    {
      type: 'flow.stageReached',
      timestamp,
      data: { ...common, sequence: 1, stage: 'bringIn', state: 'waiting', shipments: [brought] },
    },
    { type: 'flow.asked', timestamp, data: { ...atOffer, sequence: 2, state: 'waiting' } },
    { type: 'flow.overdue', timestamp, data: { ...atOffer, sequence: 3, state: 'overdue' } },
    {
      type: 'flow.stageReached',
      timestamp,
      data: { ...common, sequence: 4, stage: 'putBack', state: 'waiting', shipments: [brought, back] },
    },
    {
      type: 'flow.ended',
      timestamp,
      data: { ...common, sequence: 5, stage: null, state: 'ended', outcome: 'completed', shipments: [brought, back] },
    },
  ])
  expect(JSON.stringify(notifications)).not.toContain('49123')
  expect(await textOf(world, caseNo)).not.toContain(receiver.url)
})

test('a custom flow that is cancelled reports in which step', async () => {
  const caseNo = await start(1)
  await bringIn(caseNo)
  await handleOf(caseNo).cancel()
  expect((await allNoticesOf(receiver, caseNo)).at(-1)).toMatchObject({
    type: 'flow.ended',
    data: { flow: 'workshop', stage: 'offer', outcome: 'cancelled', shipments: [{ role: 'device' }] },
  })
})
