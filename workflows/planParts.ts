import type { FlowPlan, PlannedStep } from '#flows'

/** The kept parts by their JSON texts. All flows of a worker share this module, and so they share equal parts. */
const kept = new Map<string, object>()

/** Beyond this many, plans differ so much that keeping their parts would cost more than it saves. */
const maxKept = 1_000

/**
 * Replaces the parts that equal plans have in common by one frozen copy for all flows of a worker, so that a waiting flow
 * keeps little more than its own case.
 */
export function shareParts(plan: FlowPlan): FlowPlan {
  const { steps, outputs, profile, reachable } = plan
  return {
    ...plan,
    steps: steps.map(shareStep),
    outputs: share(outputs),
    profile: share(profile),
    reachable: share(reachable),
  }
}

/** A step that sends something has values of its case, so only its other parts are shared. */
function shareStep(step: PlannedStep): PlannedStep {
  if (!('request' in step || 'with' in step)) return share(step)
  const parts = Object.entries(step).filter(
    ([name, part]) => typeof part === 'object' && name !== 'request' && name !== 'with',
  )
  return { ...step, ...Object.fromEntries(parts.map(([name, part]) => [name, share(part)])) }
}

function share<T extends object>(part: T): T {
  const text = JSON.stringify(part)
  const known = kept.get(text)
  if (known !== undefined) return known as T
  if (kept.size >= maxKept) kept.clear()
  kept.set(text, freezeAll(part))
  return part
}

function freezeAll<T extends object>(part: T): T {
  for (const value of Object.values(part)) if (typeof value === 'object' && value !== null) freezeAll(value)
  return Object.freeze(part)
}
