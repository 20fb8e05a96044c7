import type { Cause } from '#flows'
import type { AskStep, FlowDeclaration, WaitStep } from '#flows/declaration'
import { findTarget } from '../../model/flow.ts'
import type { JointStates } from './jointStates.ts'
import type { Node, Way } from './node.ts'
import { type Values, without } from './values.ts'

/** The parts of an exploration that the ways out of its steps use. */
export interface WayParts {
  readonly flow: FlowDeclaration
  readonly joints: JointStates
  readonly values: Values
}

export function toEnd({ flow }: WayParts, cause: Cause): Way {
  return { kind: 'aside', cause, next: flow.steps.length }
}

/** The ways out of a passed window. */
export function* timeout(node: Node, { window, onTimeout }: WaitStep | AskStep, parts: WayParts): Iterable<Way> {
  if (window === null || onTimeout === undefined) return
  if (onTimeout === 'cancel') yield toEnd(parts, 'timeout.cancel')
  else if (onTimeout === 'remind' || onTimeout === 'ask') {
    if (onTimeout === 'remind') yield { kind: 'aside', cause: 'remind', next: node.step }
    yield* decisions(node, parts)
  } else yield* jump(node, 'timeout.goTo', onTimeout.goTo, 'onTimeout', parts)
}

/** The ways out of an overdue step. */
export function* decisions(node: Node, parts: WayParts): Iterable<Way> {
  yield { kind: 'aside', cause: 'ask.extend', next: node.step }
  yield { kind: 'aside', cause: 'ask.keepWaiting', next: node.step }
  yield toEnd(parts, 'ask.cancel')
}

/** Goes to a later step. The steps between are left out, because of a field of this one. */
export function* jump(node: Node, cause: Cause, goTo: string, field: string, { flow }: WayParts): Iterable<Way> {
  const target = findTarget(flow, node.step, goTo)
  if (target === undefined) return
  const from = flow.steps[node.step]
  const passed = flow.steps.slice(node.step, target)
  const reason = `!${from?.name}.${field}`
  const after = passed.reduce((left, step) => without(left, step, reason), node)
  yield { kind: 'on', cause, node: after, next: target }
}
