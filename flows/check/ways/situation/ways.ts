import type { Cause } from '#flows'
import type { AskStep, BlockStep, FlowDeclaration, WaitStep } from '#flows/declaration'
import { findTarget, isWait } from '../../model/flow.ts'
import { treeOf } from '../../model/tree.ts'
import type { Node, Way } from './node.ts'
import type { Parts } from './parts.ts'
import { type Values, withResult } from './values.ts'

/** The parts of an exploration that the ways out of its steps use. */
export interface WayParts {
  readonly flow: FlowDeclaration
  readonly shipments: Parts
  readonly values: Values
}

export function toEnd({ flow }: WayParts, cause: Cause): Way {
  return { kind: 'aside', cause, next: treeOf(flow).length }
}

/** The ways out of a passed window. */
export function* timeout(
  node: Node,
  { window = null, onTimeout }: Pick<WaitStep | AskStep | BlockStep, 'window' | 'onTimeout'>,
  parts: WayParts,
): Iterable<Way> {
  if (window === null || onTimeout === undefined) return
  if (onTimeout === 'cancel') yield { kind: 'climb', cause: 'timeout.cancel', code: 'Expired', node }
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
  const tree = treeOf(flow)
  const placed = tree[node.step]
  const target = placed && findTarget(placed, goTo)
  if (placed === undefined || target === undefined) return
  // A wait has an output although its window has passed, and a code is one.
  const from = isWait(placed.step) || cause !== 'timeout.goTo' ? node.step + 1 : node.step
  const passed = tree.slice(from, Math.min(target, tree.length)).map(({ step }) => step)
  const reason = `!${placed.step.name}.${field}`
  const after = passed.reduce((left, step) => withResult(left, step, reason), node)
  yield { kind: 'on', cause, node: after, next: target }
}
