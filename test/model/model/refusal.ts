import type { ErrorCode } from '#contract/terms'

/** The answer is no, and nothing has happened. */
export class Refusal extends Error {
  readonly code: ErrorCode

  constructor(code: ErrorCode) {
    super(code)
    this.code = code
  }
}

export function refuse(code: ErrorCode): never {
  throw new Refusal(code)
}
