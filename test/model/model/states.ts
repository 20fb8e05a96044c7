import type { StateCode } from '#contract/terms'
import { type LinkKind, type Model, type Shipment, zoneless } from './model.ts'

const finalStates: readonly StateCode[] = ['Completed', 'Cancelled']
const emptyStates: readonly StateCode[] = ['WaitForPriorShipment', 'ReadyForDropOff']

export const isActive = ({ state }: Shipment) => !finalStates.includes(state)

/** What comes after a shipment in this way and has not been cancelled. */
export function followersOf(model: Model, { name }: Shipment, ...kinds: LinkKind[]): Shipment[] {
  return model.shipments.filter(
    ({ link, state }) => link?.prior === name && kinds.includes(link.kind) && state !== 'Cancelled',
  )
}

export function priorOf(model: Model, { link }: Shipment): Shipment | undefined {
  return model.shipments.find(({ name }) => name === link?.prior)
}

/** Tells the world the state that a shipment is in. */
export function announce(model: Model, shipment: Shipment): void {
  if (model.tenants[shipment.tenant]?.callback.url == null) return
  const { tenant, name, state, stateStart, type, pupUid, from, to, referenceNo, referenceCaseNo, description } =
    shipment
  model.announced.push({
    ...{ tenant, shipmentUid: name, stateCode: state, stateStart: zoneless(stateStart), shipmentType: type },
    ...{ referenceNo, referenceCaseNo, description, pupUid, fromUserUid: from, toUserUid: to },
  })
}

/** Puts a shipment into another state, and lets those whose turn comes thereby have it. */
export function enter(model: Model, shipment: Shipment, state: StateCode): void {
  shipment.activity = model.now
  if (shipment.state !== state) {
    shipment.state = state
    shipment.stateStart = model.now
    announce(model, shipment)
  }
  if (state === 'ReadyForPickup') takeTurns(model, shipment, 'swap')
}

export function dropOff(model: Model, shipment: Shipment): void {
  const [circular] = followersOf(model, shipment, 'circular')
  if (circular === undefined) {
    enter(model, shipment, shipment.to === null ? 'WaitForReceiver' : 'ReadyForPickup')
  } else {
    enter(model, shipment, 'Completed')
    enter(model, circular, 'ReadyForPickup')
  }
}

/** The pick up, and at the same time the drop off of what is swapped for it. */
export function pickUp(model: Model, shipment: Shipment): void {
  enter(model, shipment, shipment.kept ? 'ReadyForPickup' : 'Completed')
  if (shipment.kept) return
  for (const swap of followersOf(model, shipment, 'swap')) dropOff(model, swap)
  takeTurns(model, shipment, 'subsequent')
}

/** Cancels a shipment, and those after it that hold no item. */
export function cancel(model: Model, shipment: Shipment): void {
  const after = followersOf(model, shipment, 'swap', 'subsequent', 'circular')
  enter(model, shipment, 'Cancelled')
  for (const follower of after) if (emptyStates.includes(follower.state)) cancel(model, follower)
}

function takeTurns(model: Model, prior: Shipment, kind: LinkKind): void {
  for (const follower of followersOf(model, prior, kind)) {
    if (follower.state === 'WaitForPriorShipment') enter(model, follower, 'ReadyForDropOff')
  }
}
