import { type ErrorCode, withPage } from '#contract/terms'
import type { Refused, UnknownCase } from './results.ts'

/** A code with its sentence, which ends with the address of the code's page. */
export interface CodedMessage<Code extends string> {
  readonly code: Code
  readonly message: string
}

export function toCodedMessage<Code extends ErrorCode>(code: Code, message: string): CodedMessage<Code> {
  return { code, message: withPage(code, message) }
}

/** The result of a call that this client, or the end of the flow, refuses. */
export function refused(code: ErrorCode, message: string): Refused {
  return { kind: 'Refused', ...toCodedMessage(code, message) }
}

/** The result of a call about a case that the namespace does not have. */
export function unknownCase(caseNo: string): UnknownCase {
  return { kind: 'UnknownCase', caseNo, ...toCodedMessage('UnknownCase', 'No flow has this case number.') }
}
