import { z } from 'zod'
import { describeIssue } from '#contract'
import { caseNumber, isCaseNo, milliseconds } from '#contract/terms'
import type { FlowDeclaration } from '#workflows/flows'
import { finalFailure } from '../failures.ts'

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
  windows: z.record(z.string(), duration).nullish(),
})

export type ReadFlowInput = z.output<typeof flowInput>

/** Checks the input of a flow; starters in every language get the same sentences. Fails with InvalidFlowInput. */
export function readInput(declaration: FlowDeclaration, input: unknown): ReadFlowInput {
  const parsed = flowInput.safeParse(input)
  if (!parsed.success) {
    throw finalFailure('InvalidFlowInput', parsed.error.issues.map(issue => describeIssue(issue, input)).join('; '))
  }
  const known = ['booking', ...declaration.stages.map(({ name }) => name)]
  const unknown = Object.keys(parsed.data.windows ?? {}).filter(name => !known.includes(name))
  if (unknown.length > 0) {
    throw finalFailure('InvalidFlowInput', `windows: no stage ${unknown.join(', ')}; there are ${known.join(', ')}`)
  }
  return parsed.data
}
