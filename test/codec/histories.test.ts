import { expect, test } from 'vitest'
import { createDataConverter, emptyKeyRing } from '#codec'
import { toWorkflowId } from '#flows'
import { replay } from '#worker'
import { converterOf, newKey, ringOf } from '../support/codec/keys.ts'
import { encodingsOf, keyIdsOf, payloadsIn } from '../support/codec/payloads.ts'
import { eventually } from '../support/eventually.ts'
import { requestOf } from '../support/flows/booking.ts'
import { startFor, walk } from '../support/flows/underway.ts'
import { bundle } from '../support/world/bundle.ts'
import { useWorld } from '../support/world/useWorld.ts'

const [first, third] = [newKey('first'), newKey('third')]
const world = useWorld({ dataConverter: converterOf(first, third) })

async function historyOf(caseNo: string) {
  return world.client.workflow.getHandle(toWorkflowId(caseNo)).fetchHistory()
}

test('every payload of a history is encrypted: input, activities, signals, updates, summaries and result', async () => {
  const underway = await startFor(world, 'issue', 'pickUp', { pickUp: '300ms' })
  const { caseNo } = underway
  const codes: (string | null)[] = []
  for (const { shipmentUid } of underway.shipments) {
    const { pickUpCode, deliveryCode } = await world.api.call(
      'GetShipmentAccessCode',
      { shipmentUid },
      { withCodes: true },
    )
    codes.push(pickUpCode, deliveryCode)
  }
  await walk(world, underway, 'pickUp')
  await world.statusWhen(caseNo, ({ overdue }) => overdue)
  expect(await world.flows.decide(caseNo, { decision: 'extend', by: '1h' })).toMatchObject({ kind: 'Decided' })
  for (const shipment of underway.shipments) await world.open(shipment, 'pickUpCode')
  expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
  const history = await historyOf(caseNo)
  const kinds = history.events?.map(event => Object.keys(event).find(name => name.endsWith('EventAttributes')))
  expect(kinds).toEqual(
    expect.arrayContaining([
      'workflowExecutionSignaledEventAttributes',
      'workflowExecutionUpdateAcceptedEventAttributes',
      'workflowExecutionUpdateCompletedEventAttributes',
    ]),
  )
  expect(encodingsOf(payloadsIn(history))).toEqual(['binary/encrypted'])
  expect(keyIdsOf(payloadsIn(history))).toEqual(['first'])
  // Search attributes are left out: LockerflowUser is a uid.
  const raw = payloadsIn(history)
    .map(({ data }) => Buffer.from(data ?? []).toString('latin1'))
    .join()
  const secrets = [world.userUid, world.apiSettings.clientSecret, 'Bearer', ...codes.filter(code => code !== null)]
  expect(codes.join('')).toMatch(/\d{6}/)
  for (const secret of secrets) expect(raw).not.toContain(secret)
  // Without the keys, the reason names the setting.
  const histories = [{ workflowId: caseNo, history }]
  expect(await replay(await bundle(), histories, createDataConverter(emptyKeyRing))).toEqual([
    { workflowId: caseNo, reason: expect.stringContaining('LOCKERFLOW_CODEC_KEYS: must contain the key first, with') },
  ])
})

test('the failure of a flow is encrypted, and its caller reads it', async () => {
  const caseNo = world.newCase(0)
  const answer = await world.flows.startAndWaitForBooking('stock', { caseNo, request: { PupUid: 'nowhere' } })
  expect(answer).toMatchObject({ kind: 'Refused', message: expect.stringContaining('Dimension') })
  const history = await historyOf(caseNo)
  expect(encodingsOf(payloadsIn(history))).toEqual(['binary/encrypted'])
  const { failure } = history.events?.at(-1)?.workflowExecutionFailedEventAttributes ?? {}
  expect(failure).toMatchObject({ message: 'Encoded failure', applicationFailureInfo: { type: 'InvalidFlowInput' } })
})

test('a flow goes on with a new key, and what the old one encrypted stays readable', async () => {
  const underway = await startFor(world, 'issue', 'dropOff')
  const { caseNo } = underway
  const dataConverter = converterOf(third, first)
  await world.restartWorker({ dataConverter })
  await world.restartGateway({ dataConverter })
  await walk(world, underway)
  expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
  expect(keyIdsOf(payloadsIn(await historyOf(caseNo)))).toEqual(['first', 'third'])
  await world.restartWorker()
  await world.restartGateway()
})

test('a worker with a wrong key names the setting, and fails the workflow task instead of the flow', async () => {
  // These keys do not encrypt, so that the test can read the failure of the workflow task.
  const wrong = createDataConverter({ ...ringOf(newKey('first')), current: undefined })
  await world.restartWorker({ dataConverter: wrong })
  const caseNo = world.newCase()
  await world.flows.start('issue', { caseNo, request: requestOf(world, 'issue') })
  const failure = await eventually(async () => {
    const { events } = await historyOf(caseNo)
    return (
      events?.findLast(event => event.workflowTaskFailedEventAttributes)?.workflowTaskFailedEventAttributes?.failure ??
      undefined
    )
  })
  expect(failure.message).toContain('LOCKERFLOW_CODEC_KEYS: must contain the key first that encrypted a payload')
  await world.restartWorker()
  await world.statusWhen(caseNo, ({ stage }) => stage === 'dropOff')
  await world.flows.cancel(caseNo, 'over')
})
