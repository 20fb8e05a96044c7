import { grpcStatuses, LinesError, linesOfError } from '#contract/terms'

/** The exit codes of every verb. */
export const exitCodes = {
  done: 0,
  /** The service or a check refused, or the verb failed. */
  failed: 1,
  /** The command line or a setting is wrong. */
  misused: 2,
  /** The service, Temporal or the database does not respond. */
  notReachable: 3,
  /** The awaited event has not happened yet. */
  pending: 4,
} as const

/** The name of an exit code. */
export type ExitReason = keyof typeof exitCodes

export interface FailureDetails {
  readonly exitCode: number
  /** The way out, as a sentence. By default that of the code in docs/reference/errors.md. */
  readonly remedy?: string | undefined
  /** The id under which the service logged the request. */
  readonly requestId?: string | undefined
}

/** A message of commander, and the same in the form of the other errors: it begins with the argument or the option. */
const forms: readonly (readonly [RegExp, string])[] = [
  [/^missing required argument '(.+)'$/, '$1: must be given.'],
  [/^option '(?:-\w, )?(--[\w-]+).*' argument missing$/, '$1: must have a value.'],
  [/^required option '(?:-\w, )?(--[\w-]+).*' not specified$/, '$1: must be given.'],
  [/^option '(?:-\w, )?(--[\w-]+).*' argument '.*' is invalid\. (.+)$/, '$1: $2'],
  [/^unknown option '(.+)'$/, '$1: must be an option of this verb.'],
  [/^premature option '(.+)'$/, 'verb: must be given before $1.'],
  [/^unknown command '(.+)' of (.+)$/, 'verb: must be a verb of $2, got "$1".'],
  [
    /^too many arguments(?: for '.*')?\. Expected (\d+) arguments? but got (\d+)(?:: .*)?\.$/,
    'arguments: must be at most $1, got $2.',
  ],
]

/** The failure of a verb. `runCommand` prints it and returns its exit code. */
export class CommandFailure extends LinesError {
  override readonly name = 'CommandFailure'
  /** A code of `contract/terms/errors.ts`, or one that the service returned. */
  readonly code: string
  readonly exitCode: number
  readonly remedy: string | undefined
  readonly requestId: string | undefined

  /** @param message its lines, if it has several */
  constructor(code: string, message: string | readonly string[], { exitCode, remedy, requestId }: FailureDetails) {
    super([message].flat())
    this.code = code
    this.exitCode = exitCode
    this.remedy = remedy
    this.requestId = requestId
  }
}

/** A verb has printed results of which some are failures. */
export class ReportedFailure extends CommandFailure {
  constructor(message = 'the output above lists the problems.', remedy = 'Correct it, then run the command again.') {
    super('CommandFailed', message, { exitCode: exitCodes.failed, remedy })
  }
}

/** The failure of a wrong argument. The message begins with the argument or option. */
export function misuse(message: string | readonly string[]): CommandFailure {
  return new CommandFailure('InvalidArguments', message, { exitCode: exitCodes.misused })
}

/** The failure of a verb whose arguments and settings are right. @param remedy by default that of the code */
export function failed(message: string, remedy?: string): CommandFailure {
  return new CommandFailure('CommandFailed', message, { exitCode: exitCodes.failed, remedy })
}

/** Errors of other modules by their name. They are not imported: each would load its SDK. */
const codesByName: Readonly<Record<string, string>> = {
  CommanderError: 'InvalidArguments',
  InvalidArgumentError: 'InvalidArguments',
  ArgumentError: 'InvalidArguments',
  SettingsError: 'InvalidSettings',
  CodecError: 'InvalidSettings',
  TemporalUnreachable: 'NotReachable',
  NamespaceNotFoundError: 'TemporalDenied',
}

const exitReasons: Readonly<Record<string, ExitReason>> = {
  InvalidArguments: 'misused',
  InvalidSettings: 'misused',
  NotReachable: 'notReachable',
  ServiceUnreachable: 'notReachable',
  TemporalUnreachable: 'notReachable',
  TemporalLimitReached: 'notReachable',
  NoResponse: 'notReachable',
  NoWorkerPolls: 'notReachable',
  FlowPaused: 'notReachable',
  NoResponseInTime: 'notReachable',
}

/** System errors of a connection. */
const connectionErrors: ReadonlySet<unknown> = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'EPIPE'],
  ...['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_SOCKET'],
])

/** PostgreSQL: connection exceptions, too few connections or memory, starting up or shutting down. */
const unreachableStates = /^(08...|53...|57P0[123])$/

const transientStatuses: readonly unknown[] = [grpcStatuses.deadlineExceeded, grpcStatuses.unavailable]

/** Turns any error of a verb into a failure with code and exit code. */
export function toFailure(error: unknown): CommandFailure {
  if (error instanceof CommandFailure) return error
  if (!(error instanceof Error)) return fail('CommandFailed', String(error))
  // Without a response the credentials are not the fault.
  if (ownCode(error) === 'SignInFailed' && isUnreachable(error))
    return fail('NotReachable', `LOCKERFLOW_AUTH_URL: the token endpoint does not respond: ${toMessage(error.cause)}`)
  // The flow client wraps the error of a codec.
  const isKey = error.cause instanceof Error && error.cause.name === 'CodecError'
  const known = codesByName[isKey ? 'CodecError' : error.name]
  const code = known ?? ownCode(error) ?? (isUnreachable(error) ? 'NotReachable' : 'CommandFailed')
  const requestId = 'requestId' in error && typeof error.requestId === 'string' ? error.requestId : undefined
  return fail(code, messageOf(error), requestId)
}

function fail(code: string, message: string | readonly string[], requestId?: string): CommandFailure {
  return new CommandFailure(code, message, { exitCode: exitCodes[exitReasons[code] ?? 'failed'], requestId })
}

function messageOf(error: Error): string | readonly string[] {
  if (error.message === '' && error instanceof AggregateError) return error.errors.map(toMessage).join('; ')
  if (ownCode(error) === 'NoResponseInTime') return [error.message, ...missingKey(error.cause)].join(' ')
  return isCommander(error) ? rewriteMisuse(error.message) : linesOfError(error)
}

/** A worker without a key of the flow fails every query. Its message names the setting and the key. */
function missingKey(cause: unknown): readonly string[] {
  const [, problem] =
    /(LOCKERFLOW_CODEC_KEYS: [^\n]+?)\.(?: See |\n|$)/.exec(cause instanceof Error ? cause.message : '') ?? []
  return problem === undefined ? [] : [`Its worker reports: ${problem}.`]
}

function isCommander({ name }: Error): boolean {
  return name === 'CommanderError' || name === 'InvalidArgumentError'
}

function toMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Our codes are words in Pascal case; those of Node and of libraries are in capitals. */
function ownCode(error: Error): string | undefined {
  const code = 'code' in error ? error.code : undefined
  return typeof code === 'string' && /^[A-Z][a-z]\w*$/.test(code) ? code : undefined
}

function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? error.code : undefined
  if (connectionErrors.has(code) || transientStatuses.includes(code) || error.name === 'NoResponse') return true
  if (typeof code === 'string' && unreachableStates.test(code)) return true
  if (error instanceof AggregateError && error.errors.some(isUnreachable)) return true
  return isUnreachable(error.cause)
}

/** Rewrites a message of commander. Its suggestion, on a second line, stays. */
function rewriteMisuse(message: string): string {
  const [first = '', ...others] = message.replace(/^error: /, '').split('\n')
  const found = forms.find(([pattern]) => pattern.test(first))
  const sentence = found === undefined ? first : first.replace(...found)
  return [sentence, ...others].join(' ')
}
