/** The limits of a case number: the business key of a flow. The workflow id and every ReferenceCaseNo contain it. */
export const caseNumber = { minLength: 1, maxLength: 60 } as const

/** The rule of `isCaseNo`, after the name of a field. */
export const mustBeCaseNo = `must be ${caseNumber.minLength} to ${caseNumber.maxLength} characters, without control characters, lone surrogates, or blanks at its ends, and not "." or ".."`

const workflowIdPrefix = 'case:'

/** The workflow id of a case. It lets the gateway find the flow of a callback without a table. */
export function toWorkflowId(caseNo: string): string {
  return workflowIdPrefix + caseNo
}

/** The case number in a workflow id; undefined without a valid one. */
export function findCaseNo(workflowId: string): string | undefined {
  const rest = workflowId.startsWith(workflowIdPrefix) ? workflowId.slice(workflowIdPrefix.length) : ''
  return isCaseNo(rest) ? rest : undefined
}

/** The workflow id of a wait for the booking of a case, on behalf of one Nexus operation. */
export function toBookingId(caseNo: string, requestId: string): string {
  return `booking:${caseNo}:${requestId}`
}

/**
 * The key of a step's effect: the idempotency key of a create, and the id of an activity of the team's own. A reset keeps
 * the first run id, so that a step takes effect once. A failed case that is started again has another one.
 */
export function toStepKey({ caseNo, step }: { caseNo: string; step: string }, firstRunId: string): string {
  // The API client hashes keys that a header cannot hold.
  return `${caseNo}:${firstRunId}:${step}`
}

/** True for a case number. Every HTTP client resolves `.` and `..` in a path, so no case of the flow API can have them. */
export function isCaseNo(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    value.length >= caseNumber.minLength &&
    value.length <= caseNumber.maxLength &&
    value.trim() === value &&
    value !== '.' &&
    value !== '..' &&
    !/[\p{Cc}\p{Cs}]/u.test(value)
  )
}
