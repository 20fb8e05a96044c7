import { applyToLinked, type LinkedShipment, reachability, type ShipmentEvent } from '#contract/machines'
import { type StateCode, states } from '#contract/terms'

/** All shipments of a flow in one situation. Equal situations are the same object. */
export interface JointState {
  readonly id: number
  readonly shipments: readonly LinkedShipment[]
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

/** The state of a shipment; undefined for one that is not booked. */
export function stateOf({ shipments }: JointState, uid: string | undefined): StateCode | undefined {
  return shipments.find(shipment => shipment.uid === uid)?.state
}

/** Joint states, and those that one event leads to. */
export class JointStates {
  readonly #known = new Map<string, JointState>()
  readonly #next = new Map<JointState, readonly JointState[]>()
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

  of(shipments: readonly LinkedShipment[]): JointState {
    const key = shipments.map(toKey).join()
    const known = this.#known.get(key)
    if (known) return known
    const joint = { id: this.#known.size, shipments }
    this.#known.set(key, joint)
    return joint
  }

  /** The joint states after one event. */
  next(joint: JointState): readonly JointState[] {
    const known = this.#next.get(joint)
    if (known) return known
    const found = new Set<JointState>()
    for (const { uid } of joint.shipments) {
      for (const event of this.#eventsOf(uid)) {
        const changed = applyEvent(joint.shipments, uid, event)
        if (changed) found.add(this.of(changed))
      }
    }
    found.delete(joint)
    const next = [...found]
    this.#next.set(joint, next)
    return next
  }

  #eventsOf(uid: string): readonly ShipmentEvent[] {
    if (this.#others) return [...atLockers, ...byOthers]
    return this.#awaited.has(uid) ? [...atLockers, { type: 'setReceiver' }] : atLockers
  }
}

/** The shipments after an event; undefined if the machine does not allow it. */
export function applyEvent(
  shipments: readonly LinkedShipment[],
  uid: string,
  event: ShipmentEvent,
): readonly LinkedShipment[] | undefined {
  const result = applyToLinked(shipments, uid, event)
  if (!result.accepted) return undefined
  return result.changes.reduce<readonly LinkedShipment[]>(
    (changed, { uid, next: { state, context } }) =>
      changed.map(shipment => (shipment.uid === uid ? { ...shipment, state, context } : shipment)),
    shipments,
  )
}

function toKey({ uid, state, context: { receiver, keepBooked, stock }, prior }: LinkedShipment): string {
  return `${uid} ${state} ${receiver} ${keepBooked} ${stock} ${prior?.uid}`
}
