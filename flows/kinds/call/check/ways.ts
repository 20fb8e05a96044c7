import { roleToCancel } from '#flows'
import type { CallStep, Step } from '#flows/declaration'
import { applyEvent, stateOf } from '../../../check/ways/situation/jointStates.ts'
import { type Node, toNext, type Way } from '../../../check/ways/situation/node.ts'
import { withDone } from '../../../check/ways/situation/values.ts'
import type { WayParts } from '../../../check/ways/situation/ways.ts'

/** A call that cancels a shipment of the flow succeeds if the machine allows it. */
export function* waysFrom(node: Node, step: CallStep, { joints }: WayParts): Iterable<Way> {
  const done = withDone(node, step)
  const role = roleToCancel(step.call, step.request)
  const uid = uidToCancel(node, step)
  if (role === undefined || uid === undefined) {
    yield toNext(done, 'reached')
    return
  }
  const known = new Map(node.known).set(role, 'Cancelled')
  if (isEndedBefore(node, step)) {
    yield toNext({ ...done, known }, 'reached')
    return
  }
  const shipments = applyEvent(node.joint.shipments, uid, { type: 'cancel' })
  if (shipments === undefined) return
  const freed = new Set([...node.freed, ...endingIn(node, step)])
  yield toNext({ ...done, joint: joints.of(shipments), freed, known }, 'reached')
}

/** The uids of the shipments that the call of the step cancels: its own, and those that are linked to it. */
export function endingIn(node: Node, step: Step | undefined): ReadonlySet<string> {
  const { joint } = node
  const uid = uidToCancel(node, step)
  if (uid === undefined) return new Set()
  const after = applyEvent(joint.shipments, uid, { type: 'cancel' }) ?? []
  const changed = after.filter(({ uid, state }) => state === 'Cancelled' && stateOf(joint, uid) !== 'Cancelled')
  return new Set([uid, ...changed.map(({ uid }) => uid)])
}

/** True if an earlier call of the flow has cancelled the shipment with another one. */
export function isEndedBefore(node: Node, step: Step): boolean {
  const uid = uidToCancel(node, step)
  return uid !== undefined && node.freed.has(uid)
}

/** The node after a refusal. A cancellation is refused if the shipment has ended, even by another program. */
export function refused(node: Node, step: Step, { joints }: WayParts): Node {
  const uid = uidToCancel(node, step)
  const cancelled = uid === undefined ? undefined : applyEvent(node.joint.shipments, uid, { type: 'cancel' })
  return cancelled === undefined ? node : { ...node, joint: joints.of(cancelled) }
}

/** The uid of the shipment that the step cancels; undefined for any other step, and for a role without a booking. */
function uidToCancel({ roles }: Node, step: Step | undefined): string | undefined {
  const role = step !== undefined && 'call' in step ? roleToCancel(step.call, step.request) : undefined
  return role === undefined ? undefined : roles.get(role)
}
