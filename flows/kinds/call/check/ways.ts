import { applyEvent, type Group } from '#contract/machines'
import { roleToCancel } from '#flows'
import type { CallStep, Step } from '#flows/declaration'
import { type Node, toNext, type Way } from '../../../check/ways/situation/node.ts'
import { partOf, replacePart, stateIn } from '../../../check/ways/situation/parts.ts'
import { withDone } from '../../../check/ways/situation/values.ts'
import type { WayParts } from '../../../check/ways/situation/ways.ts'

/** A call that cancels a shipment of the flow succeeds if the machine allows it. */
export function* waysFrom(node: Node, step: CallStep, { shipments }: WayParts): Iterable<Way> {
  const done = withDone(node, step)
  const role = roleToCancel(step.call, step.request)
  const uid = uidToCancel(node, step)
  const part = partOf(node.parts, uid)
  if (role === undefined || uid === undefined) {
    yield toNext(done, 'reached')
    return
  }
  const known = new Map(node.known).set(role, 'Cancelled')
  if (isEndedBefore(node, step)) {
    yield toNext({ ...done, known }, 'reached')
    return
  }
  const ends = Map.groupBy(part?.groups ?? [], group => [...endingIn(group, uid)].join())
  for (const groups of ends.values()) {
    const after = groups.flatMap(group => toList(applyEvent(group, uid, { type: 'cancel' })))
    const [first] = groups
    if (after.length === 0 || first === undefined || part === undefined) continue
    const freed = new Set([...node.freed, ...endingIn(first, uid)])
    yield toNext({ ...done, parts: replacePart(node.parts, part, shipments.of(after)), freed, known }, 'reached')
  }
}

function toList<Value>(value: Value | undefined): Value[] {
  return value === undefined ? [] : [value]
}

/** The uids of the shipments that a cancellation cancels: its own, and those that are linked to it. */
export function endingIn(group: Group, uid: string): ReadonlySet<string> {
  const after = applyEvent(group, uid, { type: 'cancel' }) ?? []
  const changed = after.filter(({ uid, state }) => state === 'Cancelled' && stateIn(group, uid) !== 'Cancelled')
  return new Set([uid, ...changed.map(({ uid }) => uid)])
}

/** True if an earlier call of the flow has cancelled the shipment with another one. */
export function isEndedBefore(node: Node, step: Step): boolean {
  const uid = uidToCancel(node, step)
  return uid !== undefined && node.freed.has(uid)
}

/** The node after a refusal. A cancellation is refused if the shipment has ended, also by another program. */
export function refused(node: Node, step: Step, { shipments }: WayParts): Node {
  const uid = uidToCancel(node, step)
  const part = partOf(node.parts, uid)
  if (uid === undefined || part === undefined) return node
  const after = part.groups.map(group => applyEvent(group, uid, { type: 'cancel' }) ?? group)
  return { ...node, parts: replacePart(node.parts, part, shipments.of(after)) }
}

/** The uid of the shipment that the step cancels; undefined for any other step, and for a role without a booking. */
export function uidToCancel({ roles }: Node, step: Step | undefined): string | undefined {
  const role = step !== undefined && 'call' in step ? roleToCancel(step.call, step.request) : undefined
  return role === undefined ? undefined : roles.get(role)
}
