import { states } from '#contract/terms'
import { apply, type HeldShipment } from './apply.ts'
import type { Link, ShipmentEvent, ShipmentFacts } from './shipment.ts'

/** One of the shipments that are linked with each other, over any number of links. */
export interface LinkedShipment {
  readonly uid: string
  readonly state: HeldShipment['state']
  /** `passesOn` follows from the links and is not asked for. */
  readonly facts: Omit<ShipmentFacts, 'passesOn'>
  /** Booked for a single-time collection; never followed by another one. */
  readonly collectOnly: boolean
  readonly after: { readonly link: Link; readonly uid: string } | null
}

/** What an event makes of one shipment. */
export interface LinkedChange {
  readonly uid: string
  readonly next: HeldShipment
}

export type Happened =
  | { readonly accepted: true; readonly changes: readonly LinkedChange[] }
  | { readonly accepted: false }

/**
 * What an event on a shipment makes of it and of those that are linked to it, in the order in which it happens.
 * Not accepted, as a whole, when the state or the facts of the shipment do not allow it. Pure.
 */
export function happen(shipments: readonly LinkedShipment[], uid: string, event: ShipmentEvent): Happened {
  const group = new Group(shipments)
  const shipment = group.get(uid)
  if (shipment === undefined) return { accepted: false }
  // One is never dropped off onto the other: the opening that brings the new item takes the old one out.
  const drops = event.type === 'dropOff' && shipment.state === 'ReadyForDropOff'
  const swapped = drops ? group.swappedBy(shipment) : undefined
  const accepted = swapped ? group.step(swapped, { type: 'pickUp' }) : group.step(shipment, event)
  return accepted ? { accepted: true, changes: group.changes } : { accepted: false }
}

/**
 * Whether a shipment can now get one that takes its locker over, by a swap or later. Only one can: two that wait for
 * the same locker would put two items into it. An intake of a circular pair passes its item on, and is not picked up.
 */
export function canBeFollowed(shipments: readonly LinkedShipment[], uid: string): boolean {
  const group = new Group(shipments)
  const shipment = group.get(uid)
  if (shipment === undefined || states[shipment.state].final || shipment.collectOnly) return false
  return !group.hasFollower(shipment)
}

/** The state in which a shipment starts that comes after one in the given state. */
export function firstStateAfter(
  link: Link,
  prior: LinkedShipment['state'],
): 'WaitForPriorShipment' | 'ReadyForDropOff' {
  return link === 'swap' && prior === 'ReadyForPickup' ? 'ReadyForDropOff' : 'WaitForPriorShipment'
}

/** The linked shipments while an event works its way through them. */
class Group {
  readonly changes: LinkedChange[] = []
  readonly #shipments: Map<string, LinkedShipment>

  constructor(shipments: readonly LinkedShipment[]) {
    this.#shipments = new Map(shipments.map(shipment => [shipment.uid, shipment]))
  }

  get(uid: string): LinkedShipment | undefined {
    return this.#shipments.get(uid)
  }

  /** The shipment that the given one takes the place of in the locker, while its item is still inside. */
  swappedBy({ after }: LinkedShipment): LinkedShipment | undefined {
    const prior = after?.link === 'swap' ? this.get(after.uid) : undefined
    return prior?.state === 'ReadyForPickup' ? prior : undefined
  }

  /** Whether a shipment that has not been cancelled comes after the given one, by the link if one is named. */
  hasFollower({ uid }: LinkedShipment, link?: Link): boolean {
    return this.#after(uid).some(
      ({ after, state }) => state !== 'Cancelled' && (link === undefined || after?.link === link),
    )
  }

  /** Applies an event and whatever follows from it; false, and nothing changed, when it is not allowed. */
  step(shipment: LinkedShipment, event: ShipmentEvent): boolean {
    const passesOn = this.hasFollower(shipment, 'circular')
    const applied = apply({ state: shipment.state, facts: { ...shipment.facts, passesOn } }, event)
    if (!applied.accepted) return false
    const { next } = applied
    this.changes.push({ uid: shipment.uid, next })
    this.#shipments.set(shipment.uid, { ...shipment, state: next.state, facts: next.facts })
    for (const follower of this.#after(shipment.uid)) this.#follow(follower, event, next)
    return true
  }

  #follow(follower: LinkedShipment, event: ShipmentEvent, { state }: HeldShipment): void {
    if (states[follower.state].final || follower.after === null) return
    const { link } = follower.after
    const waits = follower.state === 'WaitForPriorShipment'
    if (state === 'Cancelled') {
      if (!states[follower.state].holdsItem) this.step(follower, { type: 'cancel' })
    } else if (link === 'swap') {
      if (event.type === 'pickUp' && state === 'Completed') this.step(follower, { type: 'dropOff' })
      else if (waits && state === 'ReadyForPickup') this.step(follower, { type: 'turnComes', link })
    } else if (waits && state === 'Completed') {
      this.step(follower, { type: 'turnComes', link })
    }
  }

  #after(uid: string): LinkedShipment[] {
    return [...this.#shipments.values()].filter(({ after }) => after?.uid === uid)
  }
}
