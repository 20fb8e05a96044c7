import { describe, expect, test } from 'vitest'
import type { FlowDeclaration } from '#flows'
import { useWorkshop } from '../../support/flows/useWorkshop.ts'
import { parcel } from '../../support/world/apiWorld.ts'
import { useWorld } from '../../support/world/useWorld.ts'

/** The item can be in the locker or not when the person is asked. */
const joined = {
  name: 'joined',
  summary: 'A person decides, with or without the item.',
  steps: [
    { name: 'booking', summary: 'A locker is booked.', book: 'CreateLocalShipmentAsIssue' },
    {
      name: 'dropOff',
      summary: 'The dispatcher places the item.',
      wait: { issue: 'ReadyForPickup' },
      window: '2d',
      onTimeout: { goTo: 'decision' },
    },
    { name: 'decision', summary: 'A person decides.', ask: { on: {} }, who: 'staff', window: null },
    {
      name: 'pickUp',
      summary: 'The user collects the item.',
      wait: { issue: 'Completed' },
      window: '3d',
      onTimeout: 'ask',
    },
  ],
} as const satisfies FlowDeclaration

/** The first booking is left out after one of the answers. */
const oneOfTwo = {
  name: 'oneOfTwo',
  summary: 'A person decides what is booked.',
  steps: [
    { name: 'decision', summary: 'A person decides.', ask: { on: {}, other: {} }, who: 'staff', window: null },
    {
      name: 'first',
      summary: 'A locker is booked.',
      when: { 'decision.answer': 'on' },
      book: 'CreateLocalShipmentAsIssue',
    },
    {
      name: 'second',
      summary: 'A locker is booked.',
      when: { 'decision.answer': 'other' },
      book: 'CreateLocalShipmentAsIssue',
      request: {
        PupUid: { from: 'input.PupUid' },
        ToUserUid: { from: 'input.ToUserUid' },
        Dimension: { from: 'input.Dimension' },
        AllowLargerLockers: true,
        AllowOverflowLockers: false,
      },
      as: { issue: 'other' },
    },
    {
      name: 'firstCollected',
      summary: 'The user collects the item.',
      when: { 'decision.answer': 'on' },
      wait: { issue: 'Completed' },
      window: '3d',
      onTimeout: 'ask',
    },
    {
      name: 'secondCollected',
      summary: 'The user collects the item.',
      when: { 'decision.answer': 'other' },
      wait: { other: 'Completed' },
      window: '3d',
      onTimeout: 'ask',
    },
  ],
} as const satisfies FlowDeclaration

const world = useWorld()
const { startFlow, give } = useWorkshop(world, { flows: [joined, oneOfTwo] })

const isAsked = ({ stage }: { readonly stage: string | null }) => stage === 'decision'

describe('a flow that came to its step by one of several ways', () => {
  const request = () => ({ ...parcel, ToUserUid: world.userUid })

  test('cancels the shipment that holds no item', async () => {
    const caseNo = await startFlow('joined', { booked: 1, request: request(), windows: { dropOff: '200ms' } })
    await world.statusWhen(caseNo, isAsked)
    expect(await world.flows.cancel(caseNo, 'over')).toEqual({ kind: 'Cancelled', outcome: 'cancelled', leftOver: [] })
    expect(await world.shipmentsOf(caseNo)).toMatchObject([{ stateCode: 'Cancelled' }])
  })

  test('leaves the shipment that holds one', async () => {
    const caseNo = await startFlow('joined', { booked: 1, request: request() })
    const { shipments } = await world.statusWhen(caseNo, ({ stage }) => stage === 'dropOff')
    const [shipment] = shipments
    if (shipment === undefined) throw new Error('nothing was booked')
    await world.open(shipment, 'deliveryCode')
    await world.statusWhen(caseNo, isAsked)
    const { shipmentUid } = shipment
    const left = { step: 'booking', shipmentUid, reason: 'there is an item in the locker' }
    expect(await world.flows.cancel(caseNo, 'over')).toMatchObject({ outcome: 'cancelled', leftOver: [left] })
    expect(await world.shipmentsOf(caseNo)).toMatchObject([{ stateCode: 'ReadyForPickup' }])
  })
})

test.each(['on', 'other'])('callers wait for the booking that the answer %s leads to', async answer => {
  const caseNo = await startFlow('oneOfTwo', { booked: 1, request: { ...parcel, ToUserUid: world.userUid } })
  await world.statusWhen(caseNo, isAsked)
  const booking = world.flows.waitForBooking(caseNo)
  await give(caseNo, { step: 'decision', answer })
  const role = answer === 'on' ? 'issue' : 'other'
  expect(await booking).toMatchObject({ kind: 'Booked', shipments: [{ role, stateCode: 'ReadyForDropOff' }] })
  await world.flows.cancel(caseNo, 'over')
})
