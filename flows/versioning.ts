import { type Duration, parseDuration } from '#contract/terms'
import { type AccountFlowDeclaration, type FlowDeclaration, waitSteps } from './declaration.ts'

/**
 * The behaviour of a running flow when a new build of the worker is promoted:
 *
 * - PINNED: it ends on the build on which it started, whose workers have to run until then.
 * - AUTO_UPGRADE: it moves to the current build, whose interpreter has to replay its history.
 */
export type VersioningBehavior = 'PINNED' | 'AUTO_UPGRADE'

/** The longest stage of a pinned flow. Workers of an old build have to be kept at least this long. */
const longestPinned: Duration = '7d'

/** The versioning behaviour that follows from the windows of a declaration. */
export function toVersioningBehavior(flow: FlowDeclaration | AccountFlowDeclaration): VersioningBehavior {
  const windows = 'operation' in flow ? [flow.bookingWindow] : waitSteps(flow).map(({ window }) => window)
  const isShort = windows.every(window => window !== null && toLength(window) <= toLength(longestPinned))
  return isShort ? 'PINNED' : 'AUTO_UPGRADE'
}

function toLength(window: Duration): number {
  return parseDuration(window) ?? Number.POSITIVE_INFINITY
}
