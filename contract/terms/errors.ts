/** Failures of a request to any operation; `status` is the HTTP status. */
export const requestErrors = {
  InvalidRequest: {
    status: 400,
    meaning: 'The body is not JSON or does not match the operation; the message names every invalid field.',
  },
  Unauthorized: { status: 401, meaning: 'The access token is missing, invalid or expired.' },
  Forbidden: { status: 403, meaning: 'The access token lacks the scope or the role that the request needs.' },
  UnknownOperation: { status: 404, meaning: 'There is no operation at this path.' },
  MethodNotAllowed: { status: 405, meaning: 'The path requires another method, see Allow.' },
  IdempotencyKeyInUse: { status: 409, meaning: 'A request with this Idempotency-Key is still running.' },
  RequestTooLarge: { status: 413, meaning: 'The body is larger than the server accepts.' },
  UnsupportedMediaType: { status: 415, meaning: 'The operation requires another content type.' },
  IdempotencyKeyReused: { status: 422, meaning: 'This Idempotency-Key was used with another request.' },
  RateLimited: { status: 429, meaning: 'Too many requests; Retry-After contains the seconds to wait.' },
  TooManyAttempts: {
    status: 429,
    meaning: 'Too many wrong codes or secrets; Retry-After contains the seconds to wait.',
  },
  InternalError: { status: 500, meaning: 'The server failed; its log has details under the request id.' },
  Unavailable: { status: 503, meaning: 'The service is temporarily unavailable; try again.' },
} as const

/** Refusals: the service understood the request and declined it, with HTTP status 200 and `success: false`. */
export const businessErrors = {
  InvalidShipment: { status: 200, meaning: 'The shipment is unknown or belongs to another tenant.' },
  InvalidShipmentState: { status: 200, meaning: 'The state of the shipment does not allow this.' },
  InvalidShipmentObject: { status: 200, meaning: 'The shipment has no such object.' },
  TooManyObjects: { status: 200, meaning: 'The shipment already has 100 objects, which is the limit.' },
  ChainTooLong: {
    status: 200,
    meaning: 'A locker has at most 200 active shipments that follow one another, and the request would make more.',
  },
  PageTooLarge: { status: 200, meaning: 'The shipments of the page have more than 1,000 objects together.' },
  InvalidPupUid: { status: 200, meaning: 'The pick up point is unknown or belongs to another tenant.' },
  InvalidUserUid: { status: 200, meaning: 'The account is unknown, or your tenant may not change it.' },
  InvalidLocker: { status: 200, meaning: 'The locker is unknown or belongs to another pick up point.' },
  LockerOutOfService: {
    status: 200,
    meaning: 'The locker that the request names accepts no bookings, or no drop-off.',
  },
  InvalidDimension: { status: 200, meaning: 'The item fits no locker that the request allows, free or booked.' },
  NoLockerAvailable: { status: 200, meaning: 'All lockers that fit are booked or out of service.' },
  UnlockNotAllowed: { status: 200, meaning: 'The state of the shipment does not allow this unlockGoal.' },
  UnlockFailed: { status: 200, meaning: 'The locker did not open.' },
  InvalidAccessCode: { status: 200, meaning: 'The PIN does not open this locker now.' },
  EmailAlreadyRegistered: {
    status: 200,
    meaning: 'The e-mail address belongs to another account, or that of userName cannot be changed.',
  },
  UserNameAlreadyRegistered: { status: 200, meaning: 'The user name belongs to another account.' },
  AccessDenied: { status: 200, meaning: 'The account exists, but another tenant manages it.' },
  MutationConfigFailed: {
    status: 200,
    meaning: 'The account exists, but its mutation configuration could not be applied.',
  },
  AccountInUse: {
    status: 200,
    meaning: 'The account has an active shipment, or is the main account of a dispatcher.',
  },
  MissingFile: { status: 200, meaning: 'The file is empty.' },
  InvalidHeader: { status: 200, meaning: 'The header of the file lacks a column or repeats one.' },
  InvalidImportType: {
    status: 200,
    meaning: 'The file is not an .xls, .xlsx or .csv file, or its extension does not match its content.',
  },
  NoRequestData: { status: 200, meaning: 'The request has no part named data, or an empty one.' },
  NoRequestFile: { status: 200, meaning: 'The request has no part named file.' },
  InvalidCallbackUrl: { status: 200, meaning: 'The callback address is invalid or not allowed.' },
} as const

/** Codes of the specification (Errors). Responses with one of them have no address in their message. */
export const specifiedCodes: ReadonlySet<string> = new Set<keyof typeof businessErrors>([
  'InvalidShipmentState',
  'InvalidShipment',
  'UnlockNotAllowed',
  'InvalidAccessCode',
  'UnlockFailed',
  'InvalidUserUid',
  'EmailAlreadyRegistered',
  'InvalidPupUid',
  'AccessDenied',
  'MutationConfigFailed',
  'MissingFile',
  'InvalidHeader',
  'InvalidImportType',
  'NoRequestData',
  'NoRequestFile',
])

/** Errors that the API client detects itself. */
export const clientErrors = {
  ServiceUnreachable: { status: 503, meaning: 'The connection to the service failed; nothing was sent.' },
  NoResponse: { status: 504, meaning: 'The request was sent, but no response arrived; it may have taken effect.' },
  MalformedResponse: { status: 502, meaning: 'The response is not JSON or does not match the operation.' },
  SignInFailed: { status: 502, meaning: 'The token endpoint returned no access token.' },
  CallAborted: { status: 503, meaning: 'The caller aborted the call.' },
  UnknownRefusal: { status: 200, meaning: 'The service refused the request without a known error code.' },
} as const

/** Failures of a flow or of one of its updates. */
export const flowErrors = {
  InvalidFlowInput: {
    status: 400,
    meaning: 'The input of the flow is invalid; the message names every invalid field.',
  },
  UnknownFlow: { status: 404, meaning: 'No flow has this name.' },
  CaseInUse: { status: 409, meaning: 'The case number belongs to another flow or another request.' },
  BookingGivenUp: { status: 504, meaning: 'The service did not respond within the booking window.' },
  BookingUncertain: {
    status: 502,
    meaning: 'The response to the booking was lost, and the service offers no way to look it up.',
  },
  BookingCancelled: { status: 409, meaning: 'The flow was cancelled before its booking.' },
  AmbiguousBooking: {
    status: 409,
    meaning:
      'The flow books twice with one operation or in two branches, and the service has no idempotency keys to tell the bookings apart.',
  },
  CallGivenUp: { status: 504, meaning: 'The service did not respond within the window of a call step.' },
  CallUncertain: {
    status: 502,
    meaning: 'The response to a call that creates something was lost, and the service has no idempotency keys.',
  },
  RunGivenUp: {
    status: 504,
    meaning: 'No attempt of an activity succeeded within the window of its step, or its retry policy allows no more.',
  },
  InvalidActivityResult: {
    status: 502,
    meaning: 'The result of an activity does not match its declaration; the message names every invalid field.',
  },
  OutputTooLarge: { status: 413, meaning: 'The outputs of a step, or of all steps, exceed what a flow keeps.' },
  TooManyItems: { status: 422, meaning: 'A list has more items than its loop allows.' },
  InvalidItemKey: {
    status: 422,
    meaning: 'The items of a loop have no keys of their own: a text of 1 to 64 characters, different in each.',
  },
  BookingPending: { status: 409, meaning: 'Too many callers wait for this booking; retry, or query the status.' },
  SeveralOverdue: { status: 409, meaning: 'Windows of several steps have passed, so the decision has to name one.' },
  NothingToDecide: { status: 409, meaning: 'No window has passed, so no decision is pending.' },
  ClockFixed: { status: 409, meaning: 'The flow uses the clock of Temporal, which callers cannot move.' },
  NotAskedYet: { status: 409, meaning: 'The flow has not reached this question yet, or never asks it.' },
  AlreadyAnswered: { status: 409, meaning: 'The question has another answer already.' },
  FlowDiffers: {
    status: 409,
    meaning: "The caller and the worker have different declarations of the flow; the message names the worker's.",
  },
  InvalidFileUrl: { status: 400, meaning: 'The address of the file is invalid or not allowed.' },
  FileNotFetched: { status: 502, meaning: 'The download of the file failed.' },
  FileTooLarge: { status: 413, meaning: 'The file exceeds the limit for uploads.' },
  NothingToAdopt: { status: 409, meaning: 'The case has no active booking, or more than one.' },
  ReadsUnsupported: { status: 409, meaning: 'The service does not offer GetShipments.' },
  NotificationNotDelivered: {
    status: 504,
    meaning: 'The receiver accepted no delivery of the notification within its retry period.',
  },
  FlowEnded: { status: 409, meaning: 'The flow has ended.' },
  FlowTerminated: {
    status: 409,
    meaning: 'The flow was terminated without clean-up; its shipments may still be booked.',
  },
} as const

/** Reasons why a call to a flow got no response. */
export const callErrors = {
  NoWorkerPolls: { status: 503, meaning: 'No worker polls the task queue of the flow, so the flow makes no progress.' },
  FlowPaused: { status: 503, meaning: 'Temporal has paused the flow, which responds once it is unpaused.' },
  TemporalUnreachable: { status: 503, meaning: 'Temporal did not respond at its address.' },
  TemporalDenied: { status: 403, meaning: 'Temporal denied the call, or does not have the namespace.' },
  TemporalLimitReached: { status: 503, meaning: 'The call exceeds a limit of Temporal.' },
  TemporalFailed: { status: 502, meaning: 'Temporal returned another error.' },
  DataNotConverted: { status: 500, meaning: 'The client cannot read or write the data of the flow.' },
  NoResponseInTime: { status: 504, meaning: 'The flow did not respond within the timeout, although a worker polls.' },
  UnknownCase: { status: 404, meaning: 'No flow has this case number.' },
  InvalidCursor: { status: 400, meaning: 'This client did not return the cursor.' },
  InvalidFilter: { status: 400, meaning: 'A filter of the list is invalid; the message names the field.' },
} as const

/**
 * Every error that callers see, including those in Temporal's Web UI.
 *
 * ```ts
 * console.log(errors.NoLockerAvailable.meaning)
 * ```
 */
export const errors = { ...requestErrors, ...businessErrors, ...clientErrors, ...flowErrors, ...callErrors } as const

/** The code of an error. */
export type ErrorCode = keyof typeof errors

export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(errors, text)
}

/** Errors of a process, a command or a build. The exit code of a command, 1 to 4, tells the reason. */
export const processErrors = {
  InvalidSettings: {
    meaning: 'Settings are missing or wrong; the message names every such variable, the problem and an example.',
  },
  InvalidArguments: { meaning: 'The command line is wrong; the message begins with the argument or option.' },
  NotReachable: { meaning: 'The service, Temporal or the database does not respond; the message names its address.' },
  StillPending: { meaning: 'The event that the command waits for did not happen within the given time.' },
  Interrupted: { meaning: 'A signal, such as that of Ctrl-C, ended the command before it finished.' },
  InvalidSignature: { meaning: 'The signature of a callback is not valid; the message has the reason.' },
  CommandFailed: { meaning: 'The command failed; the message has the reason.' },
} as const

/** Every code with an entry in docs/reference/errors.md. */
export type DocumentedCode = ErrorCode | keyof typeof processErrors

/** The build of a package writes the address of the page there. */
const page = 'docs/reference/errors.md'

/**
 * The entry of a code, as the last sentence of a message; empty for a code without an entry.
 *
 * ```ts
 * errorReference('NoLockerAvailable') // See docs/reference/errors.md#nolockeravailable.
 * ```
 */
export function errorReference(code: string): string {
  return isErrorCode(code) || Object.hasOwn(processErrors, code) ? toReference(code) : ''
}

/**
 * Appends the address of the code's entry to a message. A message with an address stays unchanged, since errors pass
 * through several layers.
 */
export function withReference(code: string, message: string): string {
  return errorReference(code) === '' ? message : withPage(code as DocumentedCode, message)
}

/**
 * Appends the address of the code's entry for a code that has one. It reads no table, which would be a tenth of the
 * client's package.
 */
export function withPage(code: DocumentedCode, message: string): string {
  if (/\berrors\.md#/.test(message)) return message
  return `${message}${/[.!?)]$/.test(message) ? '' : '.'} ${toReference(code)}`
}

/**
 * A message without the address of a file, which a caller over HTTP does not have. The address of a public page
 * stays.
 */
export function withoutFile(message: string): string {
  return message.replace(/ See (?!https?:)\S*errors\.md#\w+\./g, '')
}

function toReference(code: string): string {
  return `See ${page}#${code.toLowerCase()}.`
}
