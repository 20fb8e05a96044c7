import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FlowDeclaration, type FlowShipment, type FlowStatus, flows, toWorkflowId } from '#flows'
import { createLockerRegistry, type LockerRegistry } from '../../../../service/outOfService/index.ts'
import { eventually } from '../../../support/eventually.ts'
import { book } from '../../../support/flows/booking.ts'
import { allNoticesOf, noticeKey, noticesOf } from '../../../support/flows/notifications.ts'
import { type Receiver, startReceiver } from '../../../support/servers/callbackReceiver.ts'
import { useWorld } from '../../../support/world/useWorld.ts'

// No callback reports a locker out of service, so these flows poll often.
const world = useWorld({ pollInterval: { initial: 300, maximum: 300 } })

const [booking, dropOff, pickUp] = flows.issue.steps

/** An issue that ends when its locker breaks before the drop off, and asks a person afterwards. */
const careful: FlowDeclaration = {
  ...flows.issue,
  steps: [booking, { ...dropOff, onLockerOutOfService: 'cancel' }, { ...pickUp, onLockerOutOfService: 'ask' }],
}

let receiver: Receiver
let lockers: LockerRegistry

beforeAll(async () => {
  receiver = await startReceiver()
  receiver.answer(() => ({ status: 204 }))
  const notifications = { url: receiver.url, key: noticeKey }
  await world.restartWorker({ notifications, catalogue: { ...flows, issue: careful } })
  lockers = createLockerRegistry(world.service.store, Date.now)
})

afterAll(() => receiver.stop())

const doorOf = ({ pupUid, lockerName }: FlowShipment) => ({ pupUid: pupUid ?? '', lockerName: lockerName ?? '' })
const isBroken = ({ shipments: [shipment] }: FlowStatus) => shipment?.lockerOutOfService === true

async function boardOf(caseNo: string): Promise<string> {
  const handle = world.client.workflow.getHandle(toWorkflowId(caseNo))
  return (await handle.query<{ currentDetails: string }>('__temporal_workflow_metadata')).currentDetails
}

test('a stage without a policy reminds: one notification for each outage, and the flow waits on', async () => {
  const { caseNo, shipment } = await book(world, 'stock')
  const door = doorOf(shipment)
  const reminders = () => noticesOf(receiver, caseNo).filter(({ type }) => type === 'flow.outOfService')
  for (const count of [1, 2]) {
    await lockers.takeOutOfService(door, 'door bent by Ada')
    const status = await world.statusWhen(caseNo, isBroken)
    expect(status).toMatchObject({ state: 'waiting', stage: 'dropOff', overdue: false })
    await eventually(() => reminders().length === count)
    const board = await boardOf(caseNo)
    expect(board).toContain('**out of service**')
    expect(board).toContain('if a locker goes out of service, the flow waits on')
    await lockers.returnToService(door)
    await world.statusWhen(caseNo, one => !isBroken(one))
  }
  expect(await boardOf(caseNo)).not.toContain('**out of service**')
  await world.open(shipment, 'deliveryCode')
  expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
  const told = await allNoticesOf(receiver, caseNo)
  expect(told.map(({ type }) => type)).toEqual([
    'flow.outOfService',
    'flow.outOfService',
    'flow.stageReached',
    'flow.ended',
  ])
  expect(told[0]?.data).toMatchObject({ stage: 'dropOff', state: 'waiting', shipments: [{ lockerOutOfService: true }] })
  // The reason is a text of the service and may name people, so it is in no history.
  const history = await world.client.workflow.getHandle(toWorkflowId(caseNo)).fetchHistory()
  const payloads = history.events?.flatMap(event => event.activityTaskCompletedEventAttributes?.result?.payloads ?? [])
  const texts = payloads?.map(({ data }) => Buffer.from(data ?? []).toString()) ?? []
  expect(texts.join()).toContain('lockerOutOfService')
  expect(texts.join()).not.toContain('Ada')
})

test('the policy cancel ends the flow and frees the booking', async () => {
  const { caseNo, shipment } = await book(world, 'issue')
  await lockers.takeOutOfService(doorOf(shipment), 'door bent')
  expect(await world.flows.result(caseNo)).toMatchObject({
    result: { outcome: 'cancelled', shipments: [{ stateCode: 'Cancelled' }], leftOver: [] },
  })
  await lockers.returnToService(doorOf(shipment))
})

test('the policy ask waits for a decision, and takes the question back when the locker works again', async () => {
  const { caseNo, shipment } = await book(world, 'issue')
  const door = doorOf(shipment)
  await world.open(shipment, 'deliveryCode')
  await world.statusWhen(caseNo, ({ stage }) => stage === 'pickUp')
  await lockers.takeOutOfService({ pupUid: door.pupUid }, 'flooded')
  try {
    const asked = await world.statusWhen(caseNo, ({ overdue }) => overdue)
    expect(asked).toMatchObject({ state: 'overdue', stage: 'pickUp', deadline: null })
    expect(await boardOf(caseNo)).toContain('- a locker is out of service: update `decide` with extend')
  } finally {
    await lockers.returnToService({ pupUid: door.pupUid })
  }
  const again = await world.statusWhen(caseNo, ({ overdue }) => !overdue)
  expect(again).toMatchObject({ state: 'waiting', stage: 'pickUp', deadline: expect.any(String) })

  await lockers.takeOutOfService(door, 'door bent')
  await world.statusWhen(caseNo, ({ overdue }) => overdue)
  expect(await world.flows.decide(caseNo, { decision: 'keepWaiting' })).toMatchObject({
    status: { state: 'waiting', deadline: null },
  })
  // The person has decided, so the flow does not ask again.
  await lockers.returnToService(door)
  expect(await world.statusWhen(caseNo, one => !isBroken(one))).toMatchObject({ state: 'waiting', deadline: null })
  await world.open(shipment, 'pickUpCode')
  expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
})

test('a question of the window stays open when the locker works again', async () => {
  const { caseNo, shipment } = await book(world, 'issue')
  const door = doorOf(shipment)
  await world.open(shipment, 'deliveryCode')
  await world.statusWhen(caseNo, ({ stage }) => stage === 'pickUp')
  await lockers.takeOutOfService(door, 'door bent')
  await world.statusWhen(caseNo, ({ overdue }) => overdue)
  await world.flows.decide(caseNo, { decision: 'extend', by: '300ms' })
  await world.statusWhen(caseNo, ({ overdue }) => overdue)
  await lockers.returnToService(door)
  expect(await world.statusWhen(caseNo, one => !isBroken(one))).toMatchObject({ state: 'overdue', deadline: null })
  expect(await world.flows.decide(caseNo, { decision: 'keepWaiting' })).toMatchObject({ status: { state: 'waiting' } })
  await world.open(shipment, 'pickUpCode')
  expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
})
