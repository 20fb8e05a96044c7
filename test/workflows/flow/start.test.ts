import { describe, expect, test } from 'vitest'
import { withReference } from '#contract/terms'
import { type FlowInput, type FlowName, toWorkflowId } from '#flows'
import { pass } from '../../../testing/stack/wire.ts'
import { book, requestOf } from '../../support/flows/booking.ts'
import { parcel } from '../../support/world/apiWorld.ts'
import { useWorld } from '../../support/world/useWorld.ts'

const world = useWorld()

describe('starting twice', () => {
  test('the same request finds the running flow, in any casing', async () => {
    const { caseNo, shipment } = await book(world, 'stock')
    const { PupUid, ...rest } = parcel
    const request = { pupuid: PupUid, ...rest }
    expect(await world.flows.startAndWaitForBooking('stock', { caseNo, request })).toEqual({
      kind: 'Booked',
      flow: 'stock',
      caseNo,
      shipments: [shipment],
    })
    expect(await world.flows.start('stock', { caseNo, request })).toMatchObject({ kind: 'Started', isNew: false })
    await world.flows.cancel(caseNo, 'over')
  })

  test('ten concurrent starts book once', async () => {
    const caseNo = world.newCase()
    const start = () => world.flows.startAndWaitForBooking('stock', { caseNo, request: parcel })
    const answers = await Promise.all(Array.from({ length: 10 }, start))
    expect(new Set(answers.map(answer => JSON.stringify(answer))).size).toBe(1)
    expect(answers[0]).toMatchObject({ kind: 'Booked' })
    await world.flows.cancel(caseNo, 'over')
  })

  test.each([
    ['another request', 'stock', { AllowLargerLockers: false }],
    ['another flow', 'issue', {}],
  ] as const)('with %s while it runs is CaseInUse', async (_, flow, change) => {
    const { caseNo } = await book(world, 'stock')
    const request = { ...requestOf(world, flow), ...change }
    expect(await world.flows.startAndWaitForBooking(flow, { caseNo, request })).toMatchObject({ kind: 'CaseInUse' })
    expect(await world.flows.start(flow, { caseNo, request })).toMatchObject({ kind: 'CaseInUse' })
    await world.flows.cancel(caseNo, 'over')
  })

  test.each([
    ['another request', 'stock', { AllowLargerLockers: false }],
    ['another flow', 'issue', {}],
  ] as const)('with %s after it has ended is CaseInUse', async (_, flow, change) => {
    const { caseNo } = await book(world, 'stock')
    await world.flows.cancel(caseNo, 'over')
    const request = { ...requestOf(world, flow), ...change }
    expect(await world.flows.startAndWaitForBooking(flow, { caseNo, request })).toMatchObject({ kind: 'CaseInUse' })
    expect(await world.flows.start(flow, { caseNo, request })).toMatchObject({ kind: 'CaseInUse' })
  })

  test('after it has ended returns the result', async () => {
    const { caseNo, shipment } = await book(world, 'stock')
    await world.open(shipment, 'deliveryCode')
    const ended = await world.flows.result(caseNo)
    const result = ended.kind === 'Ended' ? ended.result : undefined
    expect(result).toMatchObject({ outcome: 'completed' })
    const finished = { kind: 'CaseFinished', result }
    expect(await world.flows.startAndWaitForBooking('stock', { caseNo, request: parcel })).toEqual(finished)
    expect(await world.flows.start('stock', { caseNo, request: parcel })).toEqual(finished)
  })

  test('after it has failed starts again', async () => {
    const caseNo = world.newCase()
    const nobody = { ...parcel, ToUserUid: 'nobody' }
    const failed = await world.flows.startAndWaitForBooking('issue', { caseNo, request: nobody })
    expect(failed).toMatchObject({ kind: 'Refused', code: 'InvalidUserUid' })
    const request = requestOf(world, 'issue')
    expect(await world.flows.startAndWaitForBooking('issue', { caseNo, request })).toMatchObject({ kind: 'Booked' })
    await world.flows.cancel(caseNo, 'over')
  })

  test('several flows of one business case take a suffix', async () => {
    const caseNo = world.newCase()
    const second = `${caseNo}/2`
    await world.flows.startAndWaitForBooking('stock', { caseNo, request: parcel })
    const booking = await world.flows.startAndWaitForBooking('stock', { caseNo: second, request: parcel })
    expect(booking).toMatchObject({ kind: 'Booked', caseNo: second })
    expect(await world.flows.cancel(second, 'over')).toMatchObject({ kind: 'Cancelled' })
    await world.flows.cancel(caseNo, 'over')
  })
})

describe('a booking that the service refuses', () => {
  test.each([
    ['InvalidPupUid', 'stock', { PupUid: 'nowhere' }],
    ['InvalidUserUid', 'issue', { ToUserUid: 'nobody' }],
    ['InvalidDimension', 'stock', { Dimension: { width: 900, height: 900, length: 900 } }],
    ['InvalidLocker', 'stock', { LockerUid: 'none' }],
  ] as const)('%s fails the flow, and its waiting caller', async (code, flow, change) => {
    const caseNo = world.newCase(0)
    const request = { ...requestOf(world, flow), ...change }
    const refused = {
      ...{ kind: 'Refused', code, message: expect.stringMatching(/\w+ .+/) },
      serviceRequestId: expect.any(String),
    }
    expect(await world.flows.startAndWaitForBooking(flow, { caseNo, request })).toEqual(refused)
    expect(await world.flows.result(caseNo)).toEqual(refused)
  })
})

describe('invalid input', () => {
  const nothing = undefined as unknown as Record<string, unknown>
  test.each([
    ['no request', { request: nothing }, 'request is missing'],
    ['a field that is missing', { request: { ...parcel, PupUid: undefined } }, 'request: PupUid is missing'],
    ['several fields', { request: { PupUid: 'pup-1' } }, /AllowLargerLockers is missing.*Dimension is missing/],
    [
      'a case number of one’s own',
      { request: { ...parcel, Details: { ReferenceCaseNo: 'X' } } },
      /Details.ReferenceCaseNo/,
    ],
    ['an unknown stage', { windows: { collect: '3d' } }, /windows: must only name booking, dropOff.*got collect/],
    ['an invalid window', { windows: { dropOff: 'soon' as never } }, /windows.dropOff: must be a duration/],
    ['a window of no length', { windows: { dropOff: '0s' as const } }, /windows.dropOff/],
  ])('%s is named', async (_, change, message) => {
    const caseNo = world.newCase(0)
    const input = { caseNo, request: parcel, ...change } as FlowInput
    const answer = await world.flows.startAndWaitForBooking('stock', input)
    expect(answer).toMatchObject({ kind: 'Refused', code: 'InvalidFlowInput', message: expect.stringMatching(message) })
  })

  test.each(['x'.repeat(61), ' blank', 'line\nbreak'])('the case number %j', async caseNo => {
    const answer = await world.flows.startAndWaitForBooking('stock', { caseNo, request: parcel })
    expect(answer).toMatchObject({ kind: 'Refused', code: 'InvalidFlowInput', message: /caseNo: must be 1 to 60/ })
  })

  test.each([[undefined], ['text'], [42], [[]]])(
    'no object but %j, from a starter in another language',
    async input => {
      const workflowId = toWorkflowId(world.newCase(0))
      const started = world.client.workflow.execute('stock', { workflowId, taskQueue: world.taskQueue, args: [input] })
      await expect(started).rejects.toMatchObject({ cause: { type: 'InvalidFlowInput' } })
    },
  )
})

// The SDK looks the type of a workflow up on an object of the bundle.
test.each(['isue', ...Object.getOwnPropertyNames(Object.prototype)])('the unknown flow %s is rejected', async name => {
  const caseNo = world.newCase(0)
  expect(await world.flows.startAndWaitForBooking(name as FlowName, { caseNo, request: parcel })).toEqual({
    kind: 'Refused',
    code: 'UnknownFlow',
    message: expect.stringContaining('flow: must be one of collectByDispatcher, '),
  })
})

test('a caller that does not pass its request gets the result too', async () => {
  const { caseNo, shipment } = await book(world, 'stock')
  const answer = await world.client.workflow.getHandle(toWorkflowId(caseNo)).executeUpdate('waitForBooking')
  expect(answer).toEqual({ flow: 'stock', caseNo, shipments: [shipment] })
  await world.flows.cancel(caseNo, 'over')
})

test('a caller that times out gets a pending result, and the flow continues', async () => {
  const caseNo = world.newCase()
  world.toService.rule = ({ path }) => (path.includes('CreateLocal') ? { kind: 'status', status: 503 } : pass)
  // The start is part of the call, and a busy machine can take longer than a second for it.
  const options = { timeout: 5_000 }
  const pending = await world.flows.startAndWaitForBooking('stock', { caseNo, request: parcel }, options)
  expect(pending).toMatchObject({ kind: 'BookingPending', caseNo, code: 'NoResponseInTime' })
  world.toService.rule = () => pass
  expect(await world.flows.startAndWaitForBooking('stock', { caseNo, request: parcel })).toMatchObject({
    kind: 'Booked',
  })
  await world.flows.cancel(caseNo, 'over')
})

test('without a worker too', async () => {
  const caseNo = world.newCase()
  await world.stopWorker()
  await world.flows.start('stock', { caseNo, request: parcel })
  const options = { timeout: 1_500 }
  const pending = await world.flows.startAndWaitForBooking('stock', { caseNo, request: parcel }, options)
  expect(pending).toMatchObject({ kind: 'BookingPending', caseNo })
  await world.restartWorker()
  expect(await world.flows.startAndWaitForBooking('stock', { caseNo, request: parcel })).toMatchObject({
    kind: 'Booked',
  })
  await world.flows.cancel(caseNo, 'over')
})

test('a case that does not exist is UnknownCase', async () => {
  const message = withReference('UnknownCase', 'No flow has this case number.')
  const unknown = { kind: 'UnknownCase', caseNo: 'nothing', code: 'UnknownCase', message }
  expect(await world.flows.status('nothing')).toEqual(unknown)
  expect(await world.flows.result('nothing')).toEqual(unknown)
  expect(await world.flows.decide('nothing', { decision: 'extend' })).toEqual(unknown)
  expect(await world.flows.assignReceiver('nothing', world.userUid)).toEqual(unknown)
  expect(await world.flows.release('nothing')).toEqual(unknown)
})
