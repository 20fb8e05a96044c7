/** The limits of a case number: the business key of a flow. The workflow id and every ReferenceCaseNo contain it. */
export const caseNumber = { minLength: 1, maxLength: 60 } as const

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
  // The API client hashes keys that a header cannot carry.
  return `${caseNo}:${firstRunId}:${step}`
}

/** True for 1 to 60 characters without control characters, lone surrogates, and blanks at either end. */
export function isCaseNo(text: string): boolean {
  return (
    text.length >= caseNumber.minLength &&
    text.length <= caseNumber.maxLength &&
    text.trim() === text &&
    !/[\p{Cc}\p{Cs}]/u.test(text)
  )
}
