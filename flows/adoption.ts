import type { FlowPlan } from './plan.ts'

/**
 * How a book step takes over an existing booking of the case; undefined in a flow that adopts none. The first one must
 * exist. It may have ended if the flow books again later, and the flow may not have come to the later ones.
 */
export function toAdoption({ adopt, steps }: FlowPlan, step: number): 'active' | 'any' | 'anyOrNew' | undefined {
  if (!adopt) return undefined
  const books = steps.flatMap(({ kind }, index) => (kind === 'book' ? [index] : []))
  if (books.length < 2) return 'active'
  return step === books[0] ? 'any' : 'anyOrNew'
}
