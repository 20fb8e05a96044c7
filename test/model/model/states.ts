import type { Link, StateCode } from '#contract/terms'
import { type Model, type Name, type Shipment, toUtcWithoutOffset } from './model.ts'

const finalStates: readonly StateCode[] = ['Completed', 'Cancelled']
const emptyStates: readonly StateCode[] = ['WaitForPriorShipment', 'ReadyForDropOff']

export const isActive = ({ state }: Shipment) => !finalStates.includes(state)

/** The followers of a shipment by these links, except cancelled ones. */
export function followersOf(model: Model, { name }: Shipment, ...kinds: Link[]): Shipment[] {
  return model.shipments.filter(
    ({ link, state }) => link?.prior === name && kinds.includes(link.kind) && state !== 'Cancelled',
  )
}

/** Sets the receiver, who also is the sender of a follower without an item of its own. */
export function setReceiver(model: Model, shipment: Shipment, receiver: Name): void {
  shipment.to = receiver
  for (const follower of followersOf(model, shipment, 'swap', 'subsequent')) {
    if (!follower.senderDerived || !emptyStates.includes(follower.state)) continue
    follower.from = receiver
    follower.activity = model.now
  }
}

export function findPrior(model: Model, { link }: Shipment): Shipment | undefined {
  return model.shipments.find(({ name }) => name === link?.prior)
}

/** Records the callback of the shipment's state, if its tenant has a callback URL. */
export function announce(model: Model, shipment: Shipment): void {
  if (model.tenants[shipment.tenant]?.callback.url == null) return
  const { tenant, name, state, stateStart, type, pupUid, from, to, referenceNo, referenceCaseNo, description } =
    shipment
  model.announced.push({
    ...{ tenant, shipmentUid: name, stateCode: state, stateStart: toUtcWithoutOffset(stateStart), shipmentType: type },
    ...{ referenceNo, referenceCaseNo, description, pupUid, fromUserUid: from, toUserUid: to },
  })
}

/** Changes the state of a shipment and advances the swap that waits for it. */
export function enterState(model: Model, shipment: Shipment, state: StateCode): void {
  shipment.activity = model.now
  if (shipment.state !== state) {
    shipment.state = state
    shipment.stateStart = model.now
    announce(model, shipment)
  }
  if (state === 'ReadyForPickup') advanceFollowers(model, shipment, 'swap')
}

export function dropOff(model: Model, shipment: Shipment): void {
  const [circular] = followersOf(model, shipment, 'circular')
  if (circular === undefined) {
    enterState(model, shipment, shipment.to === null ? 'WaitForReceiver' : 'ReadyForPickup')
  } else {
    enterState(model, shipment, 'Completed')
    enterState(model, circular, 'ReadyForPickup')
  }
}

/** Picks up the shipment and drops off its swap. */
export function pickUp(model: Model, shipment: Shipment): void {
  enterState(model, shipment, shipment.kept ? 'ReadyForPickup' : 'Completed')
  if (shipment.kept) return
  for (const swap of followersOf(model, shipment, 'swap')) dropOff(model, swap)
  advanceFollowers(model, shipment, 'subsequent')
}

/** Cancels a shipment and its followers that hold no item. */
export function cancel(model: Model, shipment: Shipment): void {
  const after = followersOf(model, shipment, 'swap', 'subsequent', 'circular')
  enterState(model, shipment, 'Cancelled')
  for (const follower of after) if (emptyStates.includes(follower.state)) cancel(model, follower)
}

function advanceFollowers(model: Model, prior: Shipment, kind: Link): void {
  for (const follower of followersOf(model, prior, kind)) {
    if (follower.state === 'WaitForPriorShipment') enterState(model, follower, 'ReadyForDropOff')
  }
}
