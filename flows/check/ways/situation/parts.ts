import { applyToLinked, type LinkedShipment, reachability, type ShipmentEvent } from '#contract/machines'
import { type StateCode, states } from '#contract/terms'

/** Linked shipments in one joint state. */
export type Group = readonly LinkedShipment[]

/**
 * Shipments that influence each other, in every joint state that events can bring about. Equal parts are the same object. What
 * happens to other parts changes nothing here, so that n bookings have n times their states, and not their product.
 */
export interface Part {
  readonly id: number
  readonly groups: readonly Group[]
}

/** Events that people cause at the lockers. */
const atLockers: readonly ShipmentEvent[] = [{ type: 'dropOff' }, { type: 'pickUp' }]
/** Events that other programs can cause at any time. */
const byOthers: readonly ShipmentEvent[] = [{ type: 'setReceiver' }, { type: 'issueFromStock' }]

const after = reachability()

/**
 * True if a shipment in the one state has reached the other: it is this one, or one that can only follow it. A cancelled
 * shipment has reached no other state.
 */
export function hasReached(state: string, wanted: StateCode): boolean {
  return state === wanted || (state !== 'Cancelled' && after[wanted].some(later => later === state))
}

/** True if a shipment is active and holds no item, so that it could be cancelled. */
export function isEmpty({ state }: LinkedShipment): boolean {
  return !states[state].final && !states[state].holdsItem
}

/** The state of a shipment; undefined for one that is not in the group. */
export function stateIn(group: Group, uid: string | undefined): StateCode | undefined {
  return group.find(shipment => shipment.uid === uid)?.state
}

/** The part of a shipment; undefined for one that is not booked. */
export function partOf(parts: readonly Part[], uid: string | undefined): Part | undefined {
  return uid === undefined ? undefined : parts.find(({ groups }) => groups[0]?.some(shipment => shipment.uid === uid))
}

/** The parts with another one in the place of one of them. */
export function replacePart(parts: readonly Part[], old: Part | undefined, part: Part): readonly Part[] {
  return old === undefined ? [...parts, part] : parts.map(each => (each === old ? part : each))
}

/** Makes parts, and closes them under events. */
export class Parts {
  readonly #known = new Map<string, Part>()
  readonly #awaited: ReadonlySet<string>
  readonly #others: boolean

  /**
   * @param awaited the shipments whose receiver the flow itself sets
   * @param others whether other programs set receivers, too
   */
  constructor(awaited: ReadonlySet<string>, others: boolean) {
    this.#awaited = awaited
    this.#others = others
  }

  /** The part that begins with these groups. */
  of(groups: Iterable<Group>): Part {
    const found = new Map([...groups].map(group => [toKey(group), group]))
    // The iterator of a map also visits members that the loop adds.
    for (const group of found.values()) {
      for (const { uid } of group) {
        for (const event of this.#eventsOf(uid)) {
          const next = applyEvent(group, uid, event)
          if (next !== undefined) found.set(toKey(next), found.get(toKey(next)) ?? next)
        }
      }
    }
    const key = [...found.keys()].toSorted().join('; ')
    const known = this.#known.get(key) ?? { id: this.#known.size, groups: [...found.values()] }
    this.#known.set(key, known)
    return known
  }

  #eventsOf(uid: string): readonly ShipmentEvent[] {
    if (this.#others) return [...atLockers, ...byOthers]
    return this.#awaited.has(uid) ? [...atLockers, { type: 'setReceiver' }] : atLockers
  }
}

/** The shipments after an event; undefined if the machine does not allow it. */
export function applyEvent(group: Group, uid: string, event: ShipmentEvent): Group | undefined {
  const result = applyToLinked(group, uid, event)
  if (!result.accepted) return undefined
  return result.changes.reduce<Group>(
    (changed, { uid, next: { state, context } }) =>
      changed.map(shipment => (shipment.uid === uid ? { ...shipment, state, context } : shipment)),
    group,
  )
}

function toKey(group: Group): string {
  return group
    .map(({ uid, state, context, prior }) => {
      const { receiver, keepBooked, stock } = context
      return `${uid} ${state} ${receiver} ${keepBooked} ${stock} ${prior?.uid}`
    })
    .join()
}
