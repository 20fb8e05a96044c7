import { type Link, type StateCode, states } from '#contract/terms'
import { applyToLinked, initialStateAfter, type LinkedShipment } from './links.ts'
import type { ShipmentEvent } from './shipment.ts'
import { reachability } from './transitions.ts'

/** A shipment of a booking, as its machine starts. */
export interface BookedShipment {
  readonly role: string
  /** The states that it may have after the booking. That of a linked shipment follows from the one that it is linked to. */
  readonly initialStates: readonly StateCode[]
  /** The role that it is linked to. */
  readonly link: { readonly by: Link; readonly to: string } | null
  readonly receiver: boolean
  /** It existed before the booking, so clean-up does not cancel it. */
  readonly existing: boolean
}

/** The state that each named role must have reached, or one that follows it. */
export type WaitedStates = Readonly<Record<string, string>>

/** The events that keep to the plan of a flow. A removed receiver or a cancellation does not. */
const events: readonly ShipmentEvent[] = [
  { type: 'dropOff' },
  { type: 'pickUp' },
  { type: 'setReceiver' },
  { type: 'issueFromStock' },
]

/**
 * For each of several waits in turn, the roles that can be cancelled in it: in every joint state of the shipments that is
 * possible there, the shipment is active and holds no item. A wait without a possible state has none.
 */
export function cancellableRoles(booked: readonly BookedShipment[], waits: readonly WaitedStates[]): string[][] {
  const reachable = reachability()
  const isReached = (group: Group, wait: WaitedStates) =>
    Object.entries(wait).every(([role, wanted]) => {
      const state = group.find(({ uid }) => uid === role)?.state
      return state === wanted || (state !== undefined && reachable[wanted as StateCode].includes(state))
    })
  const groups = jointStates(booked)
  return waits.map((wait, index) => {
    const possible = groups.filter(
      group => !isReached(group, wait) && waits.slice(0, index).every(earlier => isReached(group, earlier)),
    )
    if (possible.length === 0) return []
    return booked.filter(({ role, existing }) => !existing && possible.every(isFree(role))).map(({ role }) => role)
  })
}

type Group = readonly LinkedShipment[]

function isFree(role: string): (group: Group) => boolean {
  return group => {
    const state = group.find(({ uid }) => uid === role)?.state
    return state !== undefined && !states[state].final && !states[state].holdsItem
  }
}

/** All joint states that can follow the booking, over any number of events. */
function jointStates(booked: readonly BookedShipment[]): Group[] {
  const seen = new Map(initialGroups(booked).map(group => [toKey(group), group]))
  // The iterator of a map also visits members that the loop adds.
  for (const group of seen.values()) {
    for (const { uid } of group) {
      for (const event of events) {
        const result = applyToLinked(group, uid, event)
        if (!result.accepted) continue
        const next = result.changes.reduce<Group>(
          (shipments, { uid, next: { state, context } }) =>
            shipments.map(shipment => (shipment.uid === uid ? { ...shipment, state, context } : shipment)),
          group,
        )
        const key = toKey(next)
        if (!seen.has(key)) seen.set(key, next)
      }
    }
  }
  return [...seen.values()]
}

function initialGroups(booked: readonly BookedShipment[]): Group[] {
  return booked.reduce<Group[]>(
    (groups, { role, initialStates, link, receiver }) =>
      groups.flatMap(group => {
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
      }),
    [[]],
  )
}

function toKey(group: Group): string {
  return group.map(({ state, context }) => `${state} ${context.receiver}`).join(', ')
}
