import { parseDuration } from '#contract/terms'
import type { Step, Window } from '#flows/declaration'
import { kindOf, listsOf } from '#flows/kinds'

/**
 * The behaviour of a running flow when a new build of the worker is promoted:
 *
 * - PINNED: it ends on the build on which it started, whose workers have to run until then.
 * - AUTO_UPGRADE: it moves to the current build, whose interpreter has to replay its history.
 */
export type VersioningBehavior = 'PINNED' | 'AUTO_UPGRADE'

/** The workflows of every worker other than flows. They end soon, so they are pinned. */
export const builtInWorkflows: readonly string[] = ['booking', 'notification', 'sweep']

/**
 * The longest step of a pinned flow, and the longest sum of its steps, until a person has to act. No limit of its life: a
 * reminder starts a window again, and a decision extends it.
 */
const maxPinned = { step: toLength('7d'), flow: toLength('30d') }

/** How long work is retried if neither its step nor its kind says so. */
const defaultWindow = toLength('1h')

/**
 * The versioning behaviour that follows from the windows of a declaration. A window that ends at a moment of the data has
 * no limit.
 */
export function toVersioningBehavior({ steps }: { readonly steps: readonly Step[] }): VersioningBehavior {
  const lengths = steps.flatMap(step => lengthsOf(step))
  return Math.max(...lengths) <= maxPinned.step && totalOf(steps) <= maxPinned.flow ? 'PINNED' : 'AUTO_UPGRADE'
}

/** The lengths of the steps without steps of their own. That of a block around a step limits it. */
function lengthsOf(step: Step, limit = Number.POSITIVE_INFINITY): number[] {
  const lists = listsOf(step)
  if (lists.length === 0) return [Math.min(limit, lengthOf(step))]
  return lists.flatMap(({ steps }) => steps.flatMap(each => lengthsOf(each, Math.min(limit, lengthOf(step)))))
}

/** The length of steps one after the other. */
function totalOf(steps: readonly Step[]): number {
  return steps.reduce((sum, step) => {
    const lists = listsOf(step)
    if (lists.length === 0) return sum + lengthOf(step)
    const inside = Math.max(...lists.map(list => totalOf(list.steps)))
    return sum + Math.min(lengthOf(step), inside * ('repeat' in step ? step.repeat.atMost : 1))
  }, 0)
}

/** The time after which a step is over, or a person has to act, in milliseconds. */
function lengthOf(step: Step): number {
  const kind = kindOf(step)
  const end = kind.end(step)
  return end === undefined ? (kind.defaultLength?.(step) ?? defaultWindow) : toLength(end)
}

function toLength(window: Window): number {
  return typeof window === 'string' ? (parseDuration(window) ?? Number.POSITIVE_INFINITY) : Number.POSITIVE_INFINITY
}
