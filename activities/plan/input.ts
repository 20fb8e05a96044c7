import { z } from 'zod'
import { describeIssue } from '#contract'
import { caseNumber, isCaseNo, milliseconds, workflowIdOf } from '#contract/terms'
import { finalFailure } from '../failures.ts'
import type { PlanOrder } from '../interface.ts'

/** Milliseconds. */
export const longestBooking = 12 * 3_600_000

const duration = z
  .string()
  .refine(text => milliseconds(text) !== undefined, 'has to be a duration such as "30s", "30m", "48h" or "3d"')

const flowInput = z.object({
  caseNo: z
    .string()
    .refine(
      isCaseNo,
      `has to be ${caseNumber.minLength} to ${caseNumber.maxLength} characters, without control characters or blanks at its ends`,
    ),
  request: z.record(z.string(), z.unknown()),
  windows: z.record(z.string(), duration.nullish()).nullish(),
  adopt: z.boolean().nullish(),
})

export type ReadFlowInput = z.output<typeof flowInput>

/** Checks the input of a flow; starters in every language get the same sentences. Fails with InvalidFlowInput. */
export function readInput({ input, workflowId }: PlanOrder): ReadFlowInput {
  const parsed = flowInput.safeParse(input)
  if (!parsed.success) {
    throw finalFailure('InvalidFlowInput', parsed.error.issues.map(issue => describeIssue(issue, input)).join('; '))
  }
  const expected = workflowIdOf(parsed.data.caseNo)
  // Callbacks find the flow by the case number alone; under another id it would never hear of them.
  if (workflowId !== expected) throw finalFailure('InvalidFlowInput', `caseNo: the workflow id has to be ${expected}`)
  const booking = milliseconds(parsed.data.windows?.booking ?? '')
  if (booking !== undefined && booking > longestBooking) {
    throw finalFailure(
      'InvalidFlowInput',
      'windows.booking: has to be at most 12h, since services forget keys after a day',
    )
  }
  return parsed.data
}

/** Refuses windows of stages that the flow does not have, or not for this request. */
export function refuseUnknownWindows({ windows }: ReadFlowInput, stages: readonly string[]): void {
  const known = ['booking', ...stages]
  const unknown = Object.keys(windows ?? {}).filter(name => !known.includes(name))
  if (unknown.length > 0) {
    throw finalFailure('InvalidFlowInput', `windows: no stage ${unknown.join(', ')}; there are ${known.join(', ')}`)
  }
}
