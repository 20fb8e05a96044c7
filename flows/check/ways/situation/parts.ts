import { type Group, type LinkedShipment, reachability, type ShipmentEvent, withSuccessors } from '#contract/machines'
import { type StateCode, states } from '#contract/terms'

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

/** The uids of a part: all of its joint states have the same. */
export function uidsIn({ groups: [group = []] }: Part): string[] {
  return group.map(({ uid }) => uid)
}

/** Makes parts, and closes them under events. */
export class Parts {
  readonly #known = new Map<string, Part>()
  /** By part: the keys of its joint states. */
  readonly #keys = new Map<Part, ReadonlySet<string>>()
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
    const found = withSuccessors(groups, this.#others ? undefined : uid => this.#eventsOf(uid))
    const key = [...found.keys()].toSorted().join('; ')
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const part = { id: this.#known.size, groups: [...found.values()] }
    this.#known.set(key, part)
    this.#keys.set(part, new Set(found.keys()))
    return part
  }

  /** True if the parts have every joint state that the others have. */
  covers(parts: readonly Part[], others: readonly Part[]): boolean {
    return parts.length === others.length && others.every(other => parts.some(part => this.#contains(part, other)))
  }

  /**
   * The parts with the joint states of both, and no more; undefined if no parts have just these. Parts have the product of
   * their states, so two lists of them unite if they differ in one part.
   */
  unite(some: readonly Part[], more: readonly Part[]): readonly Part[] | undefined {
    const [one, ...rest] = some.filter(part => !more.includes(part))
    const [other, ...others] = more.filter(part => !some.includes(part))
    if (one === undefined || other === undefined || rest.length + others.length > 0) return undefined
    if (uidsIn(one).join() !== uidsIn(other).join()) return undefined
    return replacePart(some, one, this.of([...one.groups, ...other.groups]))
  }

  #contains(part: Part, other: Part): boolean {
    const keys = this.#keys.get(part)
    return [...(this.#keys.get(other) ?? [])].every(key => keys?.has(key))
  }

  #eventsOf(uid: string): readonly ShipmentEvent[] {
    return this.#awaited.has(uid) ? [...atLockers, { type: 'setReceiver' }] : atLockers
  }
}
