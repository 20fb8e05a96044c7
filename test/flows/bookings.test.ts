import { expect, test } from 'vitest'
import {
  bookings,
  existingShipment,
  type BookingFlowName as FlowName,
  findRoles,
  bookingFlows as flows,
  type Role,
  rolesOf,
} from '#flows'
import { journeys, requestOfSwap } from '../support/flows/journeys.ts'
import { parcel } from '../support/world/apiWorld.ts'
import { orderOf, useActivities } from '../support/world/useActivities.ts'

const world = useActivities()

type Request = Record<string, unknown>

/** Books by the operation of a flow, and compares each shipment of the service with its row in the table. */
async function compare(flow: FlowName, request: Request): Promise<void> {
  const order = await orderOf(world, flow, { request })
  const [booking = []] = await world.activities.bookShipments(order)
  const roles = Object.entries(rolesOf(flows[flow]))
  expect(booking.map(({ role }) => role)).toEqual(roles.map(([name]) => name))
  const uids = new Map(booking.map(({ role, shipmentUid }) => [role, shipmentUid]))
  uids.set(existingShipment, String(request.PriorShipmentUid ?? request.SwapsShipmentUid ?? ''))
  for (const [name, role] of roles) {
    const { items } = await world.api.call('GetShipments', { shipmentUid: uids.get(name) ?? '' })
    const [item] = items
    expect({ name, state: item?.stateCode }).toEqual({ name, state: role.initialState })
    expect({ name, withoutReceiver: item?.toUserUid === null }).toEqual({
      name,
      withoutReceiver: hasNoReceiver(role, request),
    })
    const prior = role.link === undefined ? '' : uids.get(role.link.to)
    const links = [item?.swapsShipmentUid, item?.priorShipmentUid, item?.circularPriorShipmentUid]
    expect({ name, links: links.filter(uid => uid != null) }).toEqual({ name, links: [prior].filter(Boolean) })
    if (role.existing) expect(uids.get(name)).toBe(request.PriorShipmentUid)
  }
}

function hasNoReceiver({ withoutReceiver }: Role, request: Request): boolean {
  return typeof withoutReceiver === 'string' ? request[withoutReceiver] === true : withoutReceiver === true
}

test.each(Object.keys(flows) as FlowName[])(
  'the service books what the table says of the operation of %s',
  async flow => {
    await compare(flow, await journeys[flow].prepare(world))
  },
)

test('the service books a delayed receiver as the table says', async () => {
  await compare('localShipment', { ...parcel, FromUserUid: world.userUid, IsReceiverDelayed: true })
})

test('the service books a swap without a receiver as the table says', async () => {
  await compare('localShipment', await requestOfSwap(world))
})

test('each operation of the table books for one flow', () => {
  const used = Object.values(flows).map(({ steps }) => steps[0].book)
  expect(used.toSorted()).toEqual(Object.keys(bookings).toSorted())
  expect(findRoles('GetShipments')).toBeUndefined()
  expect(findRoles('toString')).toBeUndefined()
})
