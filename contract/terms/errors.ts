/** Failures that a request to any operation can meet; `status` is the HTTP status of the answer. */
export const requestErrors = {
  InvalidRequest: {
    status: 400,
    meaning: 'The body is not JSON or does not fit the operation; the message names every offending field.',
  },
  Unauthorized: { status: 401, meaning: 'There is no access token, or it is not valid any more.' },
  Forbidden: { status: 403, meaning: 'The access token lacks the scope integration_api.' },
  UnknownOperation: { status: 404, meaning: 'There is no operation at this path.' },
  MethodNotAllowed: { status: 405, meaning: 'Operations are called with POST.' },
  IdempotencyKeyInUse: { status: 409, meaning: 'A request with this Idempotency-Key is still running.' },
  RequestTooLarge: { status: 413, meaning: 'The body is larger than the service accepts.' },
  UnsupportedMediaType: { status: 415, meaning: 'The body is of another type than the operation takes.' },
  IdempotencyKeyReused: { status: 422, meaning: 'This Idempotency-Key was used with another request.' },
  RateLimited: { status: 429, meaning: 'Too many requests; Retry-After says when to try again.' },
  TooManyAttempts: { status: 429, meaning: 'Too many wrong attempts; Retry-After says when to try again.' },
  InternalError: { status: 500, meaning: 'The service failed; the request id helps to find out why.' },
  Unavailable: { status: 503, meaning: 'The service cannot answer now; try again.' },
} as const

/** Business refusals: the operation was understood and the answer is no, which is an answer and not a failed request. */
export const refusals = {
  InvalidShipment: { status: 200, meaning: 'The shipment is unknown or belongs to somebody else.' },
  InvalidShipmentState: { status: 200, meaning: 'The state of the shipment does not allow this.' },
  InvalidShipmentObject: { status: 200, meaning: 'The shipment has no such object.' },
  InvalidPupUid: { status: 200, meaning: 'The pick up point is unknown or not yours.' },
  InvalidUserUid: { status: 200, meaning: 'The account is unknown or not yours to change.' },
  InvalidLocker: { status: 200, meaning: 'The locker is unknown or belongs to another pick up point.' },
  InvalidDimension: { status: 200, meaning: 'The item fits no locker of the pick up point, free or not.' },
  NoLockerAvailable: { status: 200, meaning: 'A locker would fit, but none is free.' },
  UnlockNotAllowed: { status: 200, meaning: 'The state of the shipment does not allow this unlockGoal now.' },
  UnlockFailed: { status: 200, meaning: 'The locker did not open.' },
  InvalidAccessCode: { status: 200, meaning: 'The pin code opens nothing here.' },
  EmailAlreadyRegistered: { status: 200, meaning: 'The e-mail address belongs to another account.' },
  UserNameAlreadyRegistered: { status: 200, meaning: 'The user name belongs to another account.' },
  AccessDenied: { status: 200, meaning: 'The account exists and is managed by somebody else.' },
  MutationConfigFailed: {
    status: 200,
    meaning: 'The account is there, its mutation configuration could not be applied.',
  },
  AccountInUse: {
    status: 200,
    meaning: 'The account sends or receives an active shipment, or is the main account of a dispatcher.',
  },
  MissingFile: { status: 200, meaning: 'The file is empty.' },
  InvalidHeader: { status: 200, meaning: 'The header of the file lacks a column, or has one twice.' },
  InvalidImportType: { status: 200, meaning: 'The file is no .xls, .xlsx or .csv, or not what its name says.' },
  NoRequestData: { status: 200, meaning: 'The request has no part named data.' },
  NoRequestFile: { status: 200, meaning: 'The request has no part named file.' },
  InvalidCallbackUrl: { status: 200, meaning: 'The callback address is not one that callbacks may go to.' },
} as const

/** What the client of the API finds out by itself, without a word of the service. */
export const clientErrors = {
  ServiceUnreachable: { status: 503, meaning: 'There was no connection to the service; nothing was sent.' },
  NoAnswer: { status: 504, meaning: 'The request was sent, the answer did not come; it may have taken effect.' },
  StrangeAnswer: { status: 502, meaning: 'The answer is not JSON or does not fit the operation.' },
  SignInFailed: { status: 502, meaning: 'The token endpoint gave no access token.' },
  CallAborted: { status: 503, meaning: 'The caller gave the call up.' },
  Refused: { status: 200, meaning: 'The answer is no, without a code that says why.' },
} as const

/** Failures of a flow or of one of its updates. */
export const flowErrors = {
  InvalidFlowInput: {
    status: 400,
    meaning: 'The input of the flow is not valid; the message names every offending field.',
  },
  UnknownFlow: { status: 404, meaning: 'There is no flow of this name.' },
  CaseInUse: { status: 409, meaning: 'The case number belongs to another flow or another request.' },
  BookingGivenUp: { status: 504, meaning: 'The booking got no answer within its window.' },
  BookingUncertain: { status: 502, meaning: 'The answer to the booking was lost and the service cannot be asked.' },
  BookingCancelled: { status: 409, meaning: 'The flow was cancelled before it was booked.' },
  BookingPending: { status: 409, meaning: 'Others wait for this booking already; ask again, or ask for the status.' },
  NothingToDecide: { status: 409, meaning: 'No window has passed, so there is nothing to decide.' },
  NothingToRelease: { status: 409, meaning: 'The flow keeps no booking that could be released.' },
  NoReceiverWanted: { status: 409, meaning: 'The flow waits for nobody to be named who collects a shipment.' },
  InvalidFileUrl: { status: 400, meaning: 'The address is not one that files may be fetched from.' },
  FileNotFetched: { status: 502, meaning: 'The file could not be fetched from its address.' },
  FileTooLarge: { status: 413, meaning: 'The file is larger than an upload may be.' },
  NothingToAdopt: {
    status: 409,
    meaning: 'There is not just one active booking of the case that the flow could take over.',
  },
  CannotBeAsked: { status: 409, meaning: 'The service cannot be asked for its shipments.' },
  NoticeNotDelivered: {
    status: 504,
    meaning: 'The receiver of notices did not take the notice for as long as it was tried.',
  },
  FlowEnded: { status: 409, meaning: 'The flow has ended.' },
  FlowTerminated: {
    status: 409,
    meaning: 'The flow was ended from outside, without clean-up; its shipments may still be booked.',
  },
} as const

/** Every failure that a caller, an integrator or somebody in the Temporal Web UI can meet. */
export const errors = { ...requestErrors, ...refusals, ...clientErrors, ...flowErrors } as const

export type ErrorCode = keyof typeof errors

export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(errors, text)
}
