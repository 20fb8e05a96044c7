import { describe, expect, test } from 'vitest'
import { withReference } from '#contract/terms'
import { toWorkflowId } from '#flows'
import { book } from '../../support/flows/booking.ts'
import { parcel } from '../../support/world/apiWorld.ts'
import { useWorld } from '../../support/world/useWorld.ts'

const world = useWorld()

/** As a client in another language sends it: what is not set is null. */
function send(caseNo: string, update: string, argument: unknown): Promise<unknown> {
  return world.client.workflow.getHandle(toWorkflowId(caseNo)).executeUpdate(update, { args: [argument] })
}

describe('a field that is null counts as unset', () => {
  test('a decision without a duration uses the window of the stage', async () => {
    const { caseNo } = await book(world, 'stock', { dropOff: '300ms' })
    await world.statusWhen(caseNo, ({ overdue }) => overdue)
    expect(await send(caseNo, 'decide', { decision: 'extend', by: null })).toMatchObject({ state: 'waiting' })
    await world.flows.cancel(caseNo, 'over')
  })

  test('a window keeps its default duration', async () => {
    const windows = { dropOff: null, booking: null } as never
    const { caseNo } = await book(world, 'stock', windows)
    await world.flows.cancel(caseNo, 'over')
  })

  test.each([[null], [{ flow: 'stock' }], [{ flow: 'stock', fingerprint: null, request: null }], [{}]])(
    'the waiting for a booking with %j returns',
    async question => {
      const { caseNo, shipment } = await book(world, 'stock')
      expect(await send(caseNo, 'waitForBooking', question)).toEqual({ flow: 'stock', caseNo, shipments: [shipment] })
      await world.flows.cancel(caseNo, 'over')
    },
  )
})

describe('a wait for a booking with the request itself', () => {
  const { PupUid, ...rest } = parcel

  test('returns if the request is equivalent', async () => {
    const { caseNo, shipment } = await book(world, 'stock')
    const request = { ...rest, pUPUID: PupUid, LockerUid: null }
    const answer = await send(caseNo, 'waitForBooking', { flow: 'stock', request })
    expect(answer).toEqual({ flow: 'stock', caseNo, shipments: [shipment] })
    await world.flows.cancel(caseNo, 'over')
  })

  test.each([
    ['another request', { flow: 'stock', request: { ...parcel, AllowLargerLockers: false } }],
    ['another flow', { flow: 'issue', request: parcel }],
  ])('is CaseInUse with %s', async (_, question) => {
    const { caseNo } = await book(world, 'stock')
    await expect(send(caseNo, 'waitForBooking', question)).rejects.toMatchObject({ cause: { type: 'CaseInUse' } })
    await world.flows.cancel(caseNo, 'over')
  })
})

test.each([
  ['fields in capitals, as Go writes them without tags', { Flow: 'issue', Request: parcel }, 'must only have'],
  ['a flow that is not a text', { flow: 5 }, 'flow: must be a text'],
  ['a request that is not an object', { request: 'parcel' }, 'request: must be an object'],
  ['a text', 'stock', 'must be an object'],
])('a wait for a booking with %s is refused, since it would compare nothing', async (_, question, says) => {
  const { caseNo } = await book(world, 'stock')
  await expect(send(caseNo, 'waitForBooking', question)).rejects.toMatchObject({
    cause: { type: 'InvalidFlowInput', message: expect.stringContaining(says) },
  })
  await world.flows.cancel(caseNo, 'over')
})

test('a request that is null is missing', async () => {
  const caseNo = world.newCase(0)
  const answer = await world.flows.startAndWaitForBooking('stock', { caseNo, request: null as never })
  expect(answer).toMatchObject({
    code: 'InvalidFlowInput',
    message: withReference('InvalidFlowInput', 'request is missing'),
  })
})
