import { allSteps, type Duration, type FlowDeclaration, parseDuration } from '#flows'
import type { StartedStory } from '#testing/story'

/** The shortest window in a story in which no time passes. Shorter ones would end while the parts respond. */
const timelessWindow: Duration = '14d'

/** Milliseconds. The wire sends a create on at once or never, so a flow need not wait for it as long as in production. */
export const createDelay = 5_000

/** Milliseconds in which each failing work is attempted. */
export const attemptTime = 1_000

export const windowExceptions = [
  'Windows of book, call and run steps are not shortened below 20 s, which one attempt may take.',
  `While faults are in force, after lasts at least ${attemptTime / 1_000} s, since attempts are not scaled.`,
  `In a story without after and at, a shorter window of a wait or a question without a condition counts as ${timelessWindow}.`,
]

/** The windows of a flow that a story without time would miss. */
export function toWindows({ story }: StartedStory, { steps }: FlowDeclaration): Readonly<Record<string, Duration>> {
  if (story.some(word => 'after' in word || 'at' in word)) return {}
  const limit = parseDuration(timelessWindow) ?? 0
  const short = allSteps(steps).filter(step => {
    // A window can only be set for a step that the flow has for its input.
    if (!('wait' in step || 'ask' in step) || step.when !== undefined) return false
    return typeof step.window === 'string' && (parseDuration(step.window) ?? limit) < limit
  })
  return Object.fromEntries(short.map(({ name }) => [name, timelessWindow]))
}
