import { type Duration, milliseconds } from '#contract/terms'
import type { FlowDeclaration, PlainDeclaration } from './declaration.ts'

/**
 * How long a flow is meant to live, which decides what a new build of the worker means to it:
 *
 * - short: it ends on the build that it began on, whose workers have to stay for so long.
 * - long: it goes on with the build that is current, whose interpreter has to replay its history.
 */
export type Lifetime = 'short' | 'long'

/** No stage of a short flow may take longer: it is how long the workers of an old build are kept at least. */
const longestOfShort: Duration = '7d'

/** The lifetime that follows from the windows of a declaration. */
export function lifetimeOf(flow: FlowDeclaration | PlainDeclaration): Lifetime {
  const windows = 'stages' in flow ? flow.stages.map(({ window }) => window) : [flow.booking]
  return windows.every(window => window !== null && length(window) <= length(longestOfShort)) ? 'short' : 'long'
}

function length(window: Duration): number {
  return milliseconds(window) ?? Number.POSITIVE_INFINITY
}
