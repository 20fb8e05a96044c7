import type { Link, StateCode } from '#contract/terms'
import { applyToLinked, initialStateAfter, type LinkedShipment } from './links.ts'
import type { ShipmentEvent } from './shipment.ts'

/** A shipment of a booking, as its machine starts. */
export interface BookedShipment {
  readonly role: string
  /** The states that it may have after the booking. That of a linked shipment follows from the one that it is linked to. */
  readonly initialStates: readonly StateCode[]
  /** The role that it is linked to, of this booking or an earlier one. */
  readonly link: { readonly by: Link; readonly to: string } | null
  readonly receiver: boolean
  /** It existed before the booking, so clean-up does not cancel it in this role. */
  readonly existing: boolean
  /** The role of the same shipment in an earlier booking. */
  readonly sameAs?: string
}

/** A joint state of shipments that are linked. */
export type Group = readonly LinkedShipment[]

/** The events that keep to the plan of a flow. A removed receiver or a cancellation does not. */
const events: readonly ShipmentEvent[] = [
  { type: 'dropOff' },
  { type: 'pickUp' },
  { type: 'setReceiver' },
  { type: 'issueFromStock' },
]

/**
 * All joint states that can follow, over any number of events.
 * @param eventsOf the events that a shipment can get, by its uid
 */
export function withSuccessors(
  groups: Iterable<Group>,
  eventsOf: (uid: string) => readonly ShipmentEvent[] = () => events,
): Map<string, Group> {
  const seen = new Map([...groups].map(group => [groupKey(group), group]))
  // The iterator of a map also visits members that the loop adds.
  for (const group of seen.values()) {
    for (const { uid } of group) {
      for (const event of eventsOf(uid)) {
        const next = applyEvent(group, uid, event)
        if (next === undefined) continue
        const key = groupKey(next)
        if (!seen.has(key)) seen.set(key, next)
      }
    }
  }
  return seen
}

/** The booking issues the stock of an earlier one. The service refuses it in any other state. */
export function issue(uid: string, groups: readonly Group[]): readonly Group[] {
  const issued = groups.flatMap(group => {
    const next = applyEvent(group, uid, { type: 'issueFromStock' })
    return next === undefined ? [] : [next]
  })
  return issued.length > 0 ? issued : groups
}

/** The shipments after an event; undefined for one that is not allowed. */
export function applyEvent(group: Group, uid: string, event: ShipmentEvent): Group | undefined {
  const result = applyToLinked(group, uid, event)
  if (!result.accepted) return undefined
  return result.changes.reduce<Group>(
    (shipments, { uid, next: { state, context } }) =>
      shipments.map(shipment => (shipment.uid === uid ? { ...shipment, state, context } : shipment)),
    group,
  )
}

/** The joint states with a shipment that is booked. */
export function add({ role, initialStates, link, receiver }: BookedShipment, groups: readonly Group[]): Group[] {
  return groups.flatMap(group => {
    const prior = link === null ? undefined : group.find(({ uid }) => uid === link.to)
    const first = link && prior ? [initialStateAfter(link.by, prior.state)] : initialStates
    return first.map(state => [
      ...group,
      {
        uid: role,
        state,
        context: { receiver, keepBooked: false, stock: !receiver },
        collectOnly: false,
        prior: link && { link: link.by, uid: link.to },
      },
    ])
  })
}

/** A text that is the same for equal joint states only. */
export function groupKey(group: Group): string {
  return group
    .map(({ uid, state, context: { receiver, keepBooked, stock }, prior }) =>
      [uid, state, receiver, keepBooked, stock, prior?.uid].join(' '),
    )
    .join()
}
