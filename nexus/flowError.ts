/** A refusal or a failure of a flow, as an operation reports it. */
export interface FlowError {
  /** A code of docs/reference/errors.md, or another code of the service. */
  readonly code: string
  readonly message: string
}

/** The types of failures that Nexus adds around that of the handler. */
const wrappers: ReadonlySet<string> = new Set(['OperationError', 'NexusFailure'])

/**
 * Finds the code in an error of an operation: that of the innermost failure, which Nexus wraps several times. Undefined for
 * an error that has none, for instance a cancellation.
 *
 * ```ts
 * if (findFlowError(error)?.code === 'NoLockerAvailable') await sleep('1 hour')
 * ```
 */
export function findFlowError(error: unknown): FlowError | undefined {
  let found: FlowError | undefined
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { type } = cause as { readonly type?: unknown }
    if (cause.name !== 'ApplicationFailure' || typeof type !== 'string' || wrappers.has(type)) continue
    found = { code: type, message: cause.message }
  }
  return found
}
