/** A case number is the business key of a flow; the workflow id and every ReferenceCaseNo are made from it. */
export const caseNumber = { minLength: 1, maxLength: 60 } as const

const workflowIdPrefix = 'case:'

/** The workflow id of a case: the gateway finds the flow of a callback by this alone, without a table. */
export function workflowIdOf(caseNo: string): string {
  return workflowIdPrefix + caseNo
}

/** The case number in a workflow id; undefined when there is none that can be one. */
export function caseNoIn(workflowId: string): string | undefined {
  const rest = workflowId.startsWith(workflowIdPrefix) ? workflowId.slice(workflowIdPrefix.length) : ''
  return isCaseNo(rest) ? rest : undefined
}

/**
 * The idempotency key with which a flow makes something. A reset keeps the first run, so it makes nothing twice; a case
 * that failed and is started again has another.
 */
export function idempotencyKeyOf(
  { caseNo, operation }: { caseNo: string; operation: string },
  firstRunId: string,
): string {
  // The API client hashes what a header cannot carry.
  return `${caseNo}:${firstRunId}:${operation}`
}

/** Whether a text can be a case number: 1 to 60 characters, none of them a control character, no blank at either end. */
export function isCaseNo(text: string): boolean {
  return (
    text.length >= caseNumber.minLength &&
    text.length <= caseNumber.maxLength &&
    text.trim() === text &&
    !/\p{Cc}/u.test(text)
  )
}
