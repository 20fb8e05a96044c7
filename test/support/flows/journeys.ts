import { randomUUID } from 'node:crypto'
import type { Api } from '#contract/client'
import type { BookingFlowName as FlowName } from '#flows'
import { type ApiWorld, parcel } from '../world/apiWorld.ts'

/** A person opens the locker of a role's shipment with one of its codes. */
export interface Opening {
  readonly role: string
  readonly code: 'deliveryCode' | 'pickUpCode'
}

/** The parts of a world that book and open lockers past any flow. */
export interface Service extends Pick<ApiWorld, 'userUid' | 'openShipment'> {
  readonly api: Pick<Api, 'call'>
}

/** The openings that take a flow through its stages, and the final states of its shipments. */
export interface Journey {
  /** Creates the shipments that must precede the flow, and returns the flow's request. */
  prepare(world: Service): Promise<Record<string, unknown>>
  /** By stage; null for a stage that completes without an opening. */
  readonly openings: Readonly<Record<string, Opening | null>>
  readonly ends: Readonly<Record<string, string>>
}

const drop = (role: string): Opening => ({ role, code: 'deliveryCode' })
const take = (role: string): Opening => ({ role, code: 'pickUpCode' })

/** The journey of each flow, without optional fields that add stages. */
export const journeys: Readonly<Record<FlowName, Journey>> = {
  issue: {
    prepare: async ({ userUid }) => ({ ...parcel, ToUserUid: userUid }),
    openings: { dropOff: drop('issue'), pickUp: take('issue') },
    ends: { issue: 'Completed' },
  },
  issueAndSwapIntake: {
    prepare: async ({ userUid }) => ({ ...parcel, ToUserUid: userUid }),
    openings: { dropOff: drop('issue'), swap: take('issue'), collect: take('intake') },
    ends: { issue: 'Completed', intake: 'Completed' },
  },
  stock: {
    prepare: async () => parcel,
    openings: { dropOff: drop('stock') },
    ends: { stock: 'WaitForReceiver' },
  },
  stockAfterSwapIntake: {
    prepare: async world => ({ PriorShipmentUid: await intakeInside(world), Dimension: parcel.Dimension }),
    // The common code: the returned item comes out, the new one goes in.
    openings: { swap: drop('stock') },
    ends: { stock: 'WaitForReceiver' },
  },
  issueFromStock: {
    prepare: async world => ({ PriorShipmentUid: await itemInStock(world), ToUserUid: world.userUid }),
    openings: { ready: null, pickUp: take('issue') },
    ends: { issue: 'Completed' },
  },
  issueFromStockAndSwapIntake: {
    prepare: async world => ({ PriorShipmentUid: await itemInStock(world), ToUserUid: world.userUid }),
    openings: { ready: null, swap: take('issue'), collect: take('intake') },
    ends: { issue: 'Completed', intake: 'Completed' },
  },
  intake: {
    prepare: async ({ userUid }) => ({ ...parcel, FromUserUid: userUid }),
    openings: { dropOff: drop('intake'), collect: take('intake') },
    ends: { intake: 'Completed' },
  },
  intakeAndCircularStock: {
    prepare: async ({ userUid }) => ({ ...parcel, FromUserUid: userUid }),
    openings: { dropOff: drop('intake') },
    ends: { intake: 'Completed', stock: 'ReadyForPickup' },
  },
  issueFromStockAndSubsequentIntakeAndCircularStock: {
    prepare: async world => ({ PriorShipmentUid: await itemInStock(world), ToUserUid: world.userUid }),
    openings: { ready: null, pickUp: take('issue'), return: drop('intake'), restocked: null },
    ends: { issue: 'Completed', intake: 'Completed', stock: 'ReadyForPickup' },
  },
  collectByDispatcher: {
    prepare: async () => ({ ...parcel, KeepBookedAfterPickUp: false }),
    openings: { collect: take('collect') },
    ends: { collect: 'Completed' },
  },
  collectByUser: {
    prepare: async ({ userUid }) => ({ ...parcel, ToUserUid: userUid, KeepBookedAfterPickUp: false }),
    openings: { collect: take('collect') },
    ends: { collect: 'Completed' },
  },
  localShipment: {
    prepare: async ({ userUid }) => ({ ...parcel, ToUserUid: userUid }),
    openings: { dropOff: drop('shipment'), pickUp: take('shipment') },
    ends: { shipment: 'Completed' },
  },
}

/** The request of a flow on stock whose item is not in the locker yet. */
export async function requestBeforeStock(world: Service): Promise<Record<string, unknown>> {
  return { PriorShipmentUid: await bookedStock(world), ToUserUid: world.userUid }
}

/** The request of a local shipment without a receiver that swaps a returned item. */
export async function requestOfSwap(world: Service): Promise<Record<string, unknown>> {
  return { ...parcel, SwapsShipmentUid: await intakeInside(world), IsReceiverDelayed: true }
}

async function bookedStock({ api }: Service): Promise<string> {
  const { shipmentUids } = await api.call('CreateLocalShipmentAsStock', { ...parcel, Details: someCase() })
  return only(shipmentUids)
}

async function itemInStock(world: Service): Promise<string> {
  const shipmentUid = await bookedStock(world)
  await world.openShipment(shipmentUid, 'deliveryCode')
  return shipmentUid
}

async function intakeInside(world: Service): Promise<string> {
  const request = { ...parcel, FromUserUid: world.userUid, Details: someCase() }
  const { shipmentUids } = await world.api.call('CreateLocalShipmentAsIntake', request)
  await world.openShipment(only(shipmentUids), 'deliveryCode')
  return only(shipmentUids)
}

/** Another case number: the flow must not treat earlier shipments as its own. */
function someCase() {
  return { ReferenceCaseNo: `before-${randomUUID()}` }
}

function only([first]: readonly string[]): string {
  if (first === undefined) throw new Error('the booking has no shipments')
  return first
}
