import { expect, onTestFinished, test } from 'vitest'
import { type BookingFlowName as FlowName, bookingFlows as flows, toWorkflowId } from '#flows'
import { createDataConverter, emptyKeyRing } from '#platform/codec'
import { replay } from '#worker'
import { converterOf, newKey, ringOf } from '../../support/codec/keys.ts'
import { encodingsOf, keyIdsOf, payloadsIn } from '../../support/codec/payloads.ts'
import { eventually } from '../../support/eventually.ts'
import { requestOf } from '../../support/flows/booking.ts'
import { noticeKey } from '../../support/flows/notifications.ts'
import { lastNotice, notificationIds, otherPerson, runOtherFlows } from '../../support/flows/otherFlows.ts'
import { startFor, walk } from '../../support/flows/underway.ts'
import { startReceiver } from '../../support/servers/callbackReceiver.ts'
import { useFileServer } from '../../support/servers/fileServer.ts'
import { bundle } from '../../support/world/bundle.ts'
import { useWorld } from '../../support/world/useWorld.ts'

const [first, third] = [newKey('first'), newKey('third')]
const world = useWorld({ dataConverter: converterOf(first, third) })
const files = useFileServer()

async function historyOf(caseNo: string) {
  return world.client.workflow.getHandle(toWorkflowId(caseNo)).fetchHistory()
}

async function codesOf(shipmentUid: string): Promise<string[]> {
  const codes = await world.api.call('GetShipmentAccessCode', { shipmentUid }, { withCodes: true })
  return [codes.pickUpCode, codes.deliveryCode].filter(code => code !== null)
}

/** The codes and secrets in the raw payloads. Search attributes are left out: LockerflowUser is a uid. */
function findRaw(history: unknown, codes: readonly string[]): string[] {
  const raw = payloadsIn(history)
    .map(({ data }) => Buffer.from(data ?? []).toString('latin1'))
    .join()
  return [world.userUid, world.apiSettings.clientSecret, 'Bearer', ...codes].filter(text => raw.includes(text))
}

test('every payload of a history is encrypted: input, activities, signals, updates, summaries and result', async () => {
  const underway = await startFor(world, 'issue', 'pickUp', { pickUp: '300ms' })
  const { caseNo } = underway
  const codes = (await Promise.all(underway.shipments.map(({ shipmentUid }) => codesOf(shipmentUid)))).flat()
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
  expect(codes.join('')).toMatch(/\d{6}/)
  expect(findRaw(history, codes)).toEqual([])
  // Without the keys, the reason names the setting.
  const histories = [{ workflowId: caseNo, history }]
  expect(await replay(await bundle(), histories, createDataConverter(emptyKeyRing))).toEqual([
    { workflowId: caseNo, reason: expect.stringContaining('LOCKERFLOW_CODEC_KEYS: must contain the key first, with') },
  ])
})

test('no raw history of a booking flow has a code, a uid of a user, a secret or a plain payload', async () => {
  const names = Object.keys(flows) as FlowName[]
  const histories = await Promise.all(
    names.map(async name => {
      const underway = await startFor(world, name)
      const codes = await Promise.all(underway.shipments.map(({ shipmentUid }) => codesOf(shipmentUid)))
      await walk(world, underway)
      expect(await world.flows.result(underway.caseNo)).toMatchObject({ result: { outcome: 'completed' } })
      return { name, codes: codes.flat(), history: await historyOf(underway.caseNo) }
    }),
  )
  for (const { name, codes, history } of histories) {
    expect({ name, encodings: encodingsOf(payloadsIn(history)) }).toEqual({ name, encodings: ['binary/encrypted'] })
    expect({ name, found: findRaw(history, codes) }).toEqual({ name, found: [] })
  }
  expect(histories.flatMap(({ codes }) => codes).join('')).toMatch(/\d{6}/)
})

test('no raw history of an account, an import, a sweep or a notification has one, or a personal field', async () => {
  const receiver = await startReceiver()
  onTestFinished(() => receiver.stop())
  await world.restartWorker({ notifications: { url: receiver.url, key: noticeKey } })
  const workflowIds = await runOtherFlows(world, files)
  const underway = await startFor(world, 'issue')
  await walk(world, underway)
  await lastNotice(receiver, underway.caseNo)
  await world.restartWorker()

  const ofNotifications = notificationIds(receiver)
  expect(ofNotifications.length).toBeGreaterThan(2)
  const sweeps = await eventually(() => idsOf(`WorkflowType = 'sweep'`))
  for (const workflowId of [...workflowIds, ...ofNotifications, ...sweeps]) {
    const handle = world.client.workflow.getHandle(workflowId)
    const history = await handle.fetchHistory()
    expect({ workflowId, encodings: encodingsOf(payloadsIn(history)) }).toEqual({
      workflowId,
      encodings: ['binary/encrypted'],
    })
    // The whole history and what lists show of it: search attributes, memo, summaries, failures.
    const { raw } = await handle.describe()
    const text = JSON.stringify([history, raw], readable)
    const found = [...Object.values(otherPerson), noticeKey, world.apiSettings.clientSecret].filter(one =>
      text.includes(one),
    )
    expect({ workflowId, found }).toEqual({ workflowId, found: [] })
  }
})

/** The ids of this world's workflows that a query finds; undefined without one. */
async function idsOf(query: string): Promise<string[] | undefined> {
  const ids: string[] = []
  const list = world.client.workflow.list({ query: `${query} AND TaskQueue = '${world.taskQueue}'` })
  for await (const { workflowId } of list) ids.push(workflowId)
  return ids.length > 0 ? ids : undefined
}

/** Bytes as the text that they may be. */
function readable(_: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value)
  if (value instanceof Uint8Array) return Buffer.from(value).toString('latin1')
  const buffer = value as { type?: unknown; data?: number[] } | null
  if (buffer?.type === 'Buffer' && buffer.data !== undefined) return Buffer.from(buffer.data).toString('latin1')
  return value
}

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

test('the status of a flow is not found, and the case not unknown, while its worker lacks the key', async () => {
  const { caseNo } = await startFor(world, 'issue')
  await world.restartWorker({ dataConverter: converterOf(newKey('second')) })
  // The first query fails by the key, and later ones by the run that the worker has dropped.
  for (let times = 0; times < 3; times++)
    await expect(world.flows.status(caseNo)).rejects.toMatchObject({ name: 'FlowCallError', code: 'NoResponseInTime' })
  await world.restartWorker()
  await world.statusWhen(caseNo, ({ stage }) => stage === 'dropOff')
  await world.flows.cancel(caseNo, 'over')
})
