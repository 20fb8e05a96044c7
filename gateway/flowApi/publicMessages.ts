import { withoutFile, withReference } from '#contract/terms'

/** The messages of the flow client that contain the address of Temporal, without it. */
const withoutAddress = new Map<string, (message: string) => string>([
  ['TemporalUnreachable', () => 'Temporal could not be reached by the gateway.'],
  ['TemporalDenied', () => 'Temporal denied the call of the gateway, or does not have its namespace.'],
  ['TemporalLimitReached', message => message.replace(/ at \S+: /, ': ')],
  ['TemporalFailed', () => 'Temporal returned an error to the gateway.'],
])

/** A message for callers, who have neither the network of the gateway nor its files. */
export function toPublicMessage(code: string, message: string): string {
  const sentence = withoutAddress.get(code)?.(message) ?? message
  return withoutFile(withReference(code, sentence))
}

interface Coded {
  readonly code: string
  readonly message: string
}

/** A result whose messages are for callers: its own, and that of the failure in a status. */
export function toPublicResult<Result extends object>(result: Result): Result {
  const { code, message, status } = result as Partial<Coded> & { readonly status?: { readonly failure: Coded | null } }
  return {
    ...result,
    ...(code !== undefined && message !== undefined && { message: toPublicMessage(code, message) }),
    ...(status?.failure && {
      status: { ...status, failure: { ...status.failure, message: withoutFile(status.failure.message) } },
    }),
  }
}
