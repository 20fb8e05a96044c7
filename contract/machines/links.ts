import { type Link, states } from '#contract/terms'
import type { ShipmentContext, ShipmentEvent } from './shipment.ts'
import { apply, type MachineSnapshot } from './transitions.ts'

/** A shipment of a group in which each is linked to another one, over any number of links. */
export interface LinkedShipment {
  readonly uid: string
  readonly state: MachineSnapshot['state']
  /** `feedsStock` is derived from the links. */
  readonly context: Omit<ShipmentContext, 'feedsStock'>
  /** Booked for a collection only, so no other shipment can follow it. */
  readonly collectOnly: boolean
  readonly prior: { readonly link: Link; readonly uid: string } | null
}

/** The effect of an event on one shipment. */
export interface LinkedChange {
  readonly uid: string
  readonly next: MachineSnapshot
}

export type LinkedResult =
  | { readonly accepted: true; readonly changes: readonly LinkedChange[] }
  | { readonly accepted: false }

/**
 * Applies an event to one shipment, and its consequences to the shipments linked to it. The changes are in the order
 * in which they happen. Pure; `accepted` is false, and nothing changes, if the shipment does not allow the event.
 */
export function applyToLinked(shipments: readonly LinkedShipment[], uid: string, event: ShipmentEvent): LinkedResult {
  const group = new Group(shipments)
  const shipment = group.get(uid)
  if (shipment === undefined) return { accepted: false }
  // Two items must never be in one locker: the opening that brings the new item takes the old one out.
  const drops = event.type === 'dropOff' && shipment.state === 'ReadyForDropOff'
  const swapped = drops ? group.swappedBy(shipment) : undefined
  const accepted = swapped ? group.step(swapped, { type: 'pickUp' }) : group.step(shipment, event)
  return accepted ? { accepted: true, changes: group.changes } : { accepted: false }
}

/** The reason why no new shipment can follow a shipment. */
export type NoFollowerReason = 'ended' | 'collectOnly' | 'feedsStock' | 'followed'

/** True if a new shipment may take over the locker of this one, by a swap or later. */
export function canBeFollowed(shipments: readonly LinkedShipment[], uid: string): boolean {
  return findNoFollowerReason(shipments, uid) === undefined
}

/**
 * Returns undefined if a new shipment may follow this one. One follower is the limit, since two would put two items into
 * the locker. The intake of a circular pair is never picked up, so nothing can follow it.
 */
export function findNoFollowerReason(shipments: readonly LinkedShipment[], uid: string): NoFollowerReason | undefined {
  const group = new Group(shipments)
  const shipment = group.get(uid)
  if (shipment === undefined || states[shipment.state].final) return 'ended'
  if (shipment.collectOnly) return 'collectOnly'
  if (group.hasFollower(shipment, 'circular')) return 'feedsStock'
  return group.hasFollower(shipment) ? 'followed' : undefined
}

/** The first state of a shipment that is linked to a prior one in the given state. */
export function initialStateAfter(
  link: Link,
  prior: LinkedShipment['state'],
): 'WaitForPriorShipment' | 'ReadyForDropOff' {
  return link === 'swap' && prior === 'ReadyForPickup' ? 'ReadyForDropOff' : 'WaitForPriorShipment'
}

/** The linked shipments, while the consequences of one event spread through them. */
class Group {
  readonly changes: LinkedChange[] = []
  readonly #shipments: Map<string, LinkedShipment>
  /** As given: they keep their links, not their states. */
  readonly #byPrior: ReadonlyMap<string | undefined, readonly LinkedShipment[]>

  constructor(shipments: readonly LinkedShipment[]) {
    this.#shipments = new Map(shipments.map(shipment => [shipment.uid, shipment]))
    this.#byPrior = Map.groupBy(shipments, ({ prior }) => prior?.uid)
  }

  get(uid: string): LinkedShipment | undefined {
    return this.#shipments.get(uid)
  }

  /** The shipment that is swapped by the given one, while its item is still in the locker. */
  swappedBy({ prior }: LinkedShipment): LinkedShipment | undefined {
    const swapped = prior?.link === 'swap' ? this.get(prior.uid) : undefined
    return swapped?.state === 'ReadyForPickup' ? swapped : undefined
  }

  /** True if a shipment follows the given one, by this link if one is named. Cancelled followers do not count. */
  hasFollower({ uid }: LinkedShipment, link?: Link): boolean {
    return this.#followers(uid).some(
      ({ prior, state }) => state !== 'Cancelled' && (link === undefined || prior?.link === link),
    )
  }

  /** Applies an event and its consequences. Returns false, and changes nothing, if the event is not allowed. */
  step(shipment: LinkedShipment, event: ShipmentEvent): boolean {
    const steps = [{ shipment, event }]
    // The iterator of an array also visits members that the loop adds. A recursion would be as deep as the chain is long.
    for (const { shipment, event } of steps) {
      const next = this.#apply(shipment, event)
      if (next === undefined) continue
      for (const follower of this.#followers(shipment.uid)) {
        const consequence = consequenceFor(follower, event, next)
        if (consequence !== undefined) steps.push({ shipment: follower, event: consequence })
      }
    }
    return this.changes.length > 0
  }

  /** Applies an event to one shipment. Returns undefined if the event is not allowed. */
  #apply(shipment: LinkedShipment, event: ShipmentEvent): MachineSnapshot | undefined {
    const feedsStock = this.hasFollower(shipment, 'circular')
    const applied = apply({ state: shipment.state, context: { ...shipment.context, feedsStock } }, event)
    if (!applied.accepted) return undefined
    const { next } = applied
    this.changes.push({ uid: shipment.uid, next })
    this.#shipments.set(shipment.uid, { ...shipment, state: next.state, context: next.context })
    return next
  }

  #followers(uid: string): readonly LinkedShipment[] {
    return (this.#byPrior.get(uid) ?? []).map(follower => this.#shipments.get(follower.uid) ?? follower)
  }
}

/** The event that a follower gets when its prior shipment has changed by an event; undefined if it gets none. */
function consequenceFor(
  follower: LinkedShipment,
  event: ShipmentEvent,
  { state }: MachineSnapshot,
): ShipmentEvent | undefined {
  if (states[follower.state].final || follower.prior === null) return undefined
  const { link } = follower.prior
  const waits = follower.state === 'WaitForPriorShipment'
  if (state === 'Cancelled') return states[follower.state].holdsItem ? undefined : { type: 'cancel' }
  if (link === 'swap' && event.type === 'pickUp' && state === 'Completed') return { type: 'dropOff' }
  const isTurn = state === (link === 'swap' ? 'ReadyForPickup' : 'Completed')
  return waits && isTurn ? { type: 'priorAdvanced', link } : undefined
}
