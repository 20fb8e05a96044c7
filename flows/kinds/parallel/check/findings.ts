import type { ParallelStep, Step } from '#flows/declaration'
import type { Finding } from '../../../check/fault.ts'
import { type StepContext, windowFindings } from '../../../check/references/values/windows.ts'

export function findings(context: StepContext, step: ParallelStep<Step>): Finding[] {
  const { parallel, until } = step
  const found = windowFindings(context, step)
  if (typeof until !== 'object' || until.atLeast <= parallel.length) return found
  const text = `must be at most ${parallel.length}, the number of branches.`
  return [...found, { at: [...context.at, 'until', 'atLeast'], code: 'LimitExceeded', text }]
}
