import { describe, expect, test } from 'vitest'
import type { FlowDeclaration } from '#flows/declaration'
import { cancel } from '#flows/messages'
import { resetToStart } from '../support/flows/reset.ts'
import { requireRole } from '../support/flows/underway.ts'
import { codeOf, useWorkshop } from '../support/flows/useWorkshop.ts'
import { parcel } from '../support/world/apiWorld.ts'
import { useOwnTemporal } from '../support/world/ownTemporal.ts'
import { useWorld } from '../support/world/useWorld.ts'

const clerk = { who: 'clerk', window: null } as const

/** Its booking depends on an answer. */
const measured: FlowDeclaration = {
  name: 'measured',
  summary: 'An item is measured, and gets a locker.',
  input: {},
  steps: [
    { name: 'size', summary: 'The clerk measures the item.', ask: { fits: { width: 'integer' }, none: {} }, ...clerk },
    {
      name: 'booking',
      summary: 'A locker is booked.',
      book: 'CreateLocalShipmentAsStock',
      request: { ...parcel, Dimension: { ...parcel.Dimension, width: { from: 'size.width', or: 1 } } },
    },
    {
      name: 'dropOff',
      summary: 'The clerk places the item.',
      wait: { stock: 'WaitForReceiver' },
      window: '1h',
      onTimeout: 'cancel',
    },
    { name: 'pause', summary: 'The locker cools down.', sleep: '100ms' },
    { name: 'label', summary: 'The clerk labels the locker.', ask: { labelled: { no: 'text' }, not: {} }, ...clerk },
    { name: 'goodbye', summary: 'The clerk goes home.', ask: { done: {}, later: {} }, ...clerk },
  ],
  outputs: { width: 'size.width', no: 'label.no', end: 'goodbye.answer' },
}

const fits = (width: number) => ({ step: 'size', answer: 'fits', fields: { width }, by: 'Kim' })
const labelled = { step: 'label', answer: 'labelled', fields: { no: 'L-1' } }
const done = { step: 'goodbye', answer: 'done' }

function useMeasured(world: ReturnType<typeof useWorld>) {
  const shop = useWorkshop(world, { flows: [measured] })
  const { startFlow, give } = shop

  /** A flow whose locker is booked for an item of ten centimetres. */
  async function book() {
    const caseNo = await startFlow('measured', { booked: 1, request: {} })
    await world.statusWhen(caseNo, ({ asks }) => asks?.step === 'size')
    await give(caseNo, fits(10))
    const { shipments } = await world.statusWhen(caseNo, ({ step }) => step === 'dropOff')
    return { caseNo, stock: requireRole(shipments, 'stock') }
  }

  /** A flow that asks its last question. */
  async function bookAndLabel() {
    const { caseNo, stock } = await book()
    await world.open(stock, 'deliveryCode')
    await world.statusWhen(caseNo, ({ asks }) => asks?.step === 'label')
    await give(caseNo, labelled)
    await world.statusWhen(caseNo, ({ asks }) => asks?.step === 'goodbye')
    return { caseNo, stock }
  }

  return { ...shop, book, bookAndLabel }
}

describe('a flow that is reset to its start', () => {
  const world = useWorld()
  const { book, bookAndLabel, give, handleOf, restart, resultOf } = useMeasured(world)

  test('keeps the answers that it got, and comes to its booking again', async () => {
    const { caseNo, stock } = await bookAndLabel()
    await resetToStart(world, caseNo)
    const { shipments } = await world.statusWhen(caseNo, ({ asks }) => asks?.step === 'goodbye')
    expect(requireRole(shipments, 'stock').shipmentUid).toBe(stock.shipmentUid)
    await give(caseNo, done)
    expect(await resultOf(caseNo)).toMatchObject({ outcome: 'completed', width: 10, no: 'L-1', leftOver: [] })
  })

  test('takes no other answer than the one that it got', async () => {
    const { caseNo } = await book()
    await resetToStart(world, caseNo)
    await world.statusWhen(caseNo, ({ step }) => step === 'dropOff')
    expect(await codeOf(give(caseNo, fits(11)))).toBe('AlreadyAnswered')
    expect(await give(caseNo, fits(10))).toMatchObject(fits(10))
    await handleOf(caseNo).executeUpdate(cancel, { args: [{ reason: 'test' }] })
  })

  test('keeps an early answer that is given while it waits for an earlier step', async () => {
    const { caseNo, stock } = await book()
    await resetToStart(world, caseNo)
    await world.statusWhen(caseNo, ({ step }) => step === 'dropOff')
    const long = { ...labelled, fields: { no: '\u{1f4e6}'.repeat(4_096) } }
    expect(await codeOf(give(caseNo, long))).toBe('OutputTooLarge')
    expect(await give(caseNo, labelled)).toMatchObject(labelled)
    expect(await codeOf(give(caseNo, { step: 'label', answer: 'not' }))).toBe('AlreadyAnswered')
    expect(await codeOf(give(caseNo, { ...done, answer: 'never' }))).toBe('InvalidFlowInput')
    await world.open(stock, 'deliveryCode')
    await world.statusWhen(caseNo, ({ asks }) => asks?.step === 'goodbye')
    await give(caseNo, done)
    expect(await resultOf(caseNo)).toMatchObject({ no: 'L-1' })
  })

  test.each([
    ['whose field has another type', { ...fits(10), fields: { width: 'wide' } }],
    ['that is not a text', { ...fits(10), answer: { toString: 1 } as never }],
  ])('asks again after an answer before its plan %s', async (_, early) => {
    const { caseNo } = await book()
    await world.stopWorker()
    await resetToStart(world, caseNo, { withoutUpdates: true })
    const given = give(caseNo, early)
    await restart()
    await given
    const { rejections } = await world.statusWhen(caseNo, ({ asks }) => asks?.step === 'size')
    expect(rejections).toMatchObject([{ what: expect.stringContaining('the step size does not have the answer') }])
    await give(caseNo, fits(10))
    await world.statusWhen(caseNo, ({ step }) => step === 'dropOff')
    await handleOf(caseNo).executeUpdate(cancel, { args: [{ reason: 'test' }] })
  })

  test('leaves its booking over if it gets another answer', async () => {
    const { caseNo, stock } = await book()
    await resetToStart(world, caseNo, { withoutUpdates: true })
    await world.statusWhen(caseNo, ({ asks }) => asks?.step === 'size')
    await give(caseNo, fits(11))
    const { cause } = await resultOf(caseNo).catch(error => error)
    expect(cause).toMatchObject({ type: 'IdempotencyKeyReused' })
    expect(cause.details).toMatchObject([{ leftOver: [{ step: 'booking', shipmentUid: stock.shipmentUid }] }])
    await world.api.call('CancelShipment', { shipmentUid: stock.shipmentUid })
  })
})

describe('a flow with short histories that is reset to the start of its first run', () => {
  const world = useWorld({}, useOwnTemporal(['limit.historyCount.suggestContinueAsNew=4']))
  const { bookAndLabel, give, handleOf, resultOf } = useMeasured(world)

  test('keeps the answers of all its runs', async () => {
    const { caseNo } = await bookAndLabel()
    const { raw } = await handleOf(caseNo).describe()
    const { firstRunId, execution } = raw.workflowExecutionInfo ?? {}
    expect(execution?.runId).not.toBe(firstRunId)
    await resetToStart(world, caseNo, { runId: firstRunId ?? '' })
    await world.statusWhen(caseNo, ({ asks }) => asks?.step === 'goodbye')
    await give(caseNo, done)
    expect(await resultOf(caseNo)).toMatchObject({ width: 10, no: 'L-1', leftOver: [] })
  })
})
