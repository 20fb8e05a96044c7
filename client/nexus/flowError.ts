/** A refusal or a failure of a flow, as an operation reports it. */
export interface FlowError {
  /** A code of docs/reference/errors.md, or another code of the service. */
  readonly code: string
  readonly message: string
}

/** The types of failures that Nexus adds around that of the handler. */
const wrappers = /^(OperationError|NexusFailure)$/

/**
 * Finds the code in an error of an operation, which Nexus wraps several times. Undefined for an error that has none, for
 * instance a cancellation.
 *
 * ```ts
 * if (findFlowError(error)?.code === 'NoLockerAvailable') await sleep('1 hour')
 * ```
 */
export function findFlowError(error: unknown): FlowError | undefined {
  let found: FlowError | undefined
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { name, message, type } = cause as Error & { readonly type?: string | null }
    // The failure of a flow may have that of a terminated child among its causes.
    if (name === 'TerminatedFailure') found ??= { code: 'FlowTerminated', message }
    // The innermost one is that of the handler or of the flow.
    if (name === 'ApplicationFailure' && type && !wrappers.test(type)) found = { code: type, message }
  }
  return found
}
