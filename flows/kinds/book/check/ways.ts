import { applyEvent, type Group, initialStateAfter, type LinkedShipment } from '#contract/machines'
import type { StateCode } from '#contract/terms'
import { existingShipment } from '#flows'
import type { BookStep } from '#flows/declaration'
import { type FieldSource, fieldsOfBooking, uidOf } from '../../../check/model/booking.ts'
import { absent, nothing } from '../../../check/model/conditions.ts'
import { rolesOfStep } from '../../../check/model/operations.ts'
import { headOf } from '../../../check/model/source.ts'
import { foreignUid } from '../../../check/ways/situation/forget.ts'
import { type Node, toNext, type Way } from '../../../check/ways/situation/node.ts'
import { partOf, replacePart, stateIn } from '../../../check/ways/situation/parts.ts'
import { withDone } from '../../../check/ways/situation/values.ts'
import type { WayParts } from '../../../check/ways/situation/ways.ts'

/** Stock may be issued before it has arrived. */
const existingStates: readonly StateCode[] = ['ReadyForPickup', 'ReadyForDropOff', 'WaitForPriorShipment']

interface BookingStart {
  readonly step: BookStep
  /** The uid of the shipment of an earlier booking that this one issues or follows. */
  readonly prior: string | undefined
  readonly hasExisting: boolean
  readonly keepBooked: boolean
  /** True if this field of the request is true. */
  isSet(field: string): boolean
}

/** The ways out of a booking: one for each joint state in which it can leave the shipments. */
export function* waysFrom(node: Node, step: BookStep, { flow, shipments, values }: WayParts): Iterable<Way> {
  const { existing, keepBooked, flags } = fieldsOfBooking(flow, step)
  const [open] = [existing, keepBooked, ...flags.values()].flatMap(source => values.openPath(node, source) ?? [])
  if (open !== undefined) {
    yield { kind: 'open', path: open }
    return
  }
  const prior = 'path' in existing ? node.roles.get(headOf(existing.path)) : undefined
  const isTrue = (source: FieldSource | undefined) => source !== undefined && values.read(node, source) === 'true'
  const hasExisting = ![absent, nothing].includes(values.read(node, existing) ?? absent)
  const start: BookingStart = {
    step,
    prior,
    hasExisting,
    keepBooked: isTrue(keepBooked),
    isSet: field => isTrue(flags.get(field)),
  }
  const booked = rolesOfStep(step).map(([name, role]) => [name, uidOf(name, role, prior)] as const)
  const part = partOf(node.parts, prior)
  const own = new Set(booked.flatMap(([role, uid]) => (role === uid ? [uid] : [])))
  const before = (part?.groups ?? [[]]).map(group => group.filter(({ uid }) => !own.has(uid)))
  const groups = before.flatMap(group => bookInto(group, start))
  const firstStates = (group: Group) => booked.map(([role, uid]) => [role, stateIn(group, uid) ?? ''] as const)
  for (const same of Map.groupBy(groups, group => JSON.stringify(firstStates(group))).values()) {
    const [first = []] = same
    const rest = node.parts.filter(
      each =>
        each === part ||
        partOf(
          [each],
          [...own].find(uid => partOf([each], uid)),
        ) === undefined,
    )
    const after = {
      ...withDone(node, step),
      parts: replacePart(rest, part, shipments.of(same)),
      roles: new Map([...node.roles, ...booked]),
      known: new Map([...node.known, ...firstStates(first)]),
    }
    yield toNext(after, 'reached')
  }
}

/** Every joint state in which a booking can leave its shipments and those before it. */
function bookInto(before: readonly LinkedShipment[], start: BookingStart): (readonly LinkedShipment[])[] {
  const { step, prior, hasExisting, keepBooked, isSet } = start
  const foreign = foreignUid(step.name)
  const roles = rolesOfStep(step)
  const followsForeign =
    hasExisting && prior === undefined && roles.some(([, { link }]) => link?.to === existingShipment)
  const groups = followsForeign
    ? existingStates.map(state => [...before, toShipment(foreign, state, { receiver: true })])
    : [before]
  return roles.reduce<(readonly LinkedShipment[])[]>(
    (groups, [name, { initialState, existing, link, withoutReceiver }]) =>
      groups.flatMap((group): (readonly LinkedShipment[])[] => {
        if (existing) {
          if (prior === undefined)
            return existingStates.map(state => [...group, toShipment(name, state, { receiver: true })])
          const issued = applyEvent(group, prior, { type: 'issueFromStock' })
          return issued ? [issued] : []
        }
        const receiver = !(withoutReceiver === true || (withoutReceiver !== undefined && isSet(withoutReceiver)))
        const uid = link && toUid(link.to)
        const leader = group.find(shipment => shipment.uid === uid)
        const state = link && leader ? initialStateAfter(link.by, leader.state) : initialState
        const shipment = toShipment(name, state, { receiver, keepBooked })
        const isCollection = step.book.startsWith('CreateCollectOnly')
        const linked = link && leader ? { link: link.by, uid: leader.uid } : null
        return [[...group, { ...shipment, collectOnly: isCollection, prior: linked }]]
      }),
    groups,
  )

  function toUid(role: string): string {
    if (role === existingShipment) return prior ?? foreign
    const isIssued = roles.some(([name, { existing }]) => name === role && existing)
    return isIssued && prior !== undefined ? prior : role
  }
}

function toShipment(
  uid: string,
  state: StateCode,
  { receiver, keepBooked = false }: { receiver: boolean; keepBooked?: boolean },
): LinkedShipment {
  return { uid, state, context: { receiver, keepBooked, stock: !receiver }, collectOnly: false, prior: null }
}
