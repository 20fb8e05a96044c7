import { grpcStatuses } from '#contract/terms'

const transientStatuses: readonly unknown[] = [grpcStatuses.deadlineExceeded, grpcStatuses.unavailable]

/** The gRPC status of a failed call, undefined for any other error. */
export function grpcStatusOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}

/** Temporal cannot be used at the address. The message names the address and its variable. */
export class TemporalUnreachable extends Error {
  override readonly name = 'TemporalUnreachable'
}

/** The error of a Temporal that cannot be reached. */
export function unreachable(address: string | undefined, cause: unknown): TemporalUnreachable {
  const text = cause instanceof Error ? cause.message : String(cause)
  // With RUST_BACKTRACE the core of the SDK adds a page to its reason.
  const [reason = ''] = text.split('\n\nStack backtrace:')
  return new TemporalUnreachable(`TEMPORAL_ADDRESS: Temporal cannot be reached at ${address}: ${reason}`, { cause })
}

/** The SDK passes on only the text of the gRPC statuses PERMISSION_DENIED and UNAUTHENTICATED. */
const denied = /does not have permission|does not have valid authentication/

/** True if Temporal is down or hangs, so that a later attempt can succeed without other settings. */
export function isTransient(error: unknown): boolean {
  if (error instanceof TemporalUnreachable) return !denied.test(error.message)
  return transientStatuses.includes(grpcStatusOf(error))
}
