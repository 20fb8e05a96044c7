/** What the hand-written workflows are started with: the request as it is sent, the case number already in it. */
export interface BareInput {
  caseNo: string
  request: Record<string, unknown>
}
