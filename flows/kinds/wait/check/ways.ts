import type { StateCode } from '#contract/terms'
import type { WaitStep } from '#flows/declaration'
import { hasReached, stateOf } from '../../../check/ways/situation/jointStates.ts'
import { type Node, toNext, type Way } from '../../../check/ways/situation/node.ts'
import { decisions, timeout, toEnd, type WayParts } from '../../../check/ways/situation/ways.ts'

export function* waysFrom(node: Node, step: WaitStep, parts: WayParts): Iterable<Way> {
  if (isOver(node, step)) {
    const known = new Map([...node.known, ...Object.entries(step.wait)])
    yield toNext({ ...node, known }, 'reached')
    return
  }
  if (step.completedBy?.update === 'release') yield* release(node, step.completedBy.role, parts)
  yield* timeout(node, step, parts)
  if (step.onLockerOutOfService === 'ask') yield* decisions(node, parts)
}

/** The flow completes without the released shipment. */
function* release(node: Node, role: string, parts: WayParts): Iterable<Way> {
  yield toEnd(parts, 'release')
  yield { kind: 'released', node: { ...node, roles: new Map([...node.roles].filter(([name]) => name !== role)) } }
}

/** True if every role has reached its state. */
export function isOver(node: Node, { wait }: WaitStep): boolean {
  return Object.entries(wait).every(([role, wanted]) => {
    const state = stateOf(node.joint, node.roles.get(role))
    return state !== undefined && hasReached(state, wanted as StateCode)
  })
}
