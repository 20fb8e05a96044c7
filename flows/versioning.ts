import { parseDuration } from '#contract/terms'
import type { Step, Window } from '#flows/declaration'
import { kindOf } from '#flows/kinds'

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
  const lengths = steps.map(lengthOf)
  const total = lengths.reduce((sum, length) => sum + length, 0)
  return Math.max(...lengths) <= maxPinned.step && total <= maxPinned.flow ? 'PINNED' : 'AUTO_UPGRADE'
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
