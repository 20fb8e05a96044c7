import { describe, expect, test } from 'vitest'
import { workflowIdOf } from '#contract/terms'
import { book } from './booking.ts'
import { useWorld } from './useWorld.ts'
import { parcel } from './world.ts'

const world = useWorld()

/** As a client in another language sends it: what is not set is null. */
function send(caseNo: string, update: string, argument: unknown): Promise<unknown> {
  return world.client.workflow.getHandle(workflowIdOf(caseNo)).executeUpdate(update, { args: [argument] })
}

describe('what is not set, and comes as null', () => {
  test('a decision without a length takes the window of the stage', async () => {
    const { caseNo } = await book(world, 'stock', { dropOff: '300ms' })
    await world.statusWhen(caseNo, ({ overdue }) => overdue)
    expect(await send(caseNo, 'decide', { decision: 'extend', by: null })).toMatchObject({ state: 'waiting' })
    await world.flows.cancel(caseNo, 'over')
  })

  test('a window keeps its own length', async () => {
    const windows = { dropOff: null, booking: null } as never
    const { caseNo } = await book(world, 'stock', windows)
    await world.flows.cancel(caseNo, 'over')
  })

  test.each([[null], [{ flow: 'stock' }], [{ flow: 'stock', fingerprint: null, request: null }], [{}]])(
    'the question %j is answered',
    async question => {
      const { caseNo, shipment } = await book(world, 'stock')
      expect(await send(caseNo, 'booked', question)).toEqual({ flow: 'stock', caseNo, shipments: [shipment] })
      await world.flows.cancel(caseNo, 'over')
    },
  )
})

describe('a question with the request itself', () => {
  const { PupUid, ...rest } = parcel

  test('is answered when it means the same', async () => {
    const { caseNo, shipment } = await book(world, 'stock')
    const request = { ...rest, pUPUID: PupUid, LockerUid: null }
    const answer = await send(caseNo, 'booked', { flow: 'stock', request })
    expect(answer).toEqual({ flow: 'stock', caseNo, shipments: [shipment] })
    await world.flows.cancel(caseNo, 'over')
  })

  test.each([
    ['another request', { flow: 'stock', request: { ...parcel, AllowLargerLockers: false } }],
    ['another flow', { flow: 'issue', request: parcel }],
  ])('is CaseInUse with %s', async (_, question) => {
    const { caseNo } = await book(world, 'stock')
    await expect(send(caseNo, 'booked', question)).rejects.toMatchObject({ cause: { type: 'CaseInUse' } })
    await world.flows.cancel(caseNo, 'over')
  })
})

test('no request, as null, is missing', async () => {
  const caseNo = world.newCase(0)
  const answer = await world.flows.startAndWaitForBooking('stock', { caseNo, request: null as never })
  expect(answer).toMatchObject({ code: 'InvalidFlowInput', message: 'request is missing' })
})
