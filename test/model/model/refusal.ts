import type { ErrorCode } from '#contract/terms'

/** The operation is refused and changes nothing. */
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
