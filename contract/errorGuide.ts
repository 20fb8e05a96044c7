import type { DocumentedCode } from './terms/index.ts'

/** The usual reason for an error, and the way out. */
export interface ErrorAdvice {
  readonly cause: string
  readonly remedy: string
}

/** Advice for each error code. docs/reference/errors.md is made from it and from the error table. */
export const errorGuide: Readonly<Record<DocumentedCode, ErrorAdvice>> = {
  InvalidRequest: {
    cause:
      'A field is missing, empty, of the wrong type or too long, two keys differ only in casing, or a text contains a NUL character or an unpaired surrogate.',
    remedy: 'Correct the fields that the message names, then send the request again.',
  },
  Unauthorized: {
    cause:
      'The header Authorization is missing, or the token has expired, was revoked, was altered or is from another issuer.',
    remedy: 'Request a new token from the token endpoint and retry the call once.',
  },
  Forbidden: {
    cause:
      'The token lacks the scope integration_api. For flows over HTTP, the token lacks the scope flows:read or flows:write, or the role that answers the question.',
    remedy:
      'Request a token with the scope. For an answer, give the caller the role that the message names, in the claim of LOCKERFLOW_FLOW_API_ROLES_CLAIM.',
  },
  UnknownOperation: {
    cause: 'The path is misspelled, or the operation belongs to the sandbox and the service runs in production.',
    remedy: 'Compare the path with /openapi.json of that service.',
  },
  MethodNotAllowed: {
    cause: 'The path does not accept the method of the request, for example GET for an operation.',
    remedy: 'Use a method that the header Allow names. Operations require POST.',
  },
  IdempotencyKeyInUse: {
    cause: 'The first request with this key has not been answered yet.',
    remedy: 'Wait a second, then retry the request with the same key.',
  },
  RequestTooLarge: {
    cause: 'The body exceeds 256 KiB, an uploaded file 10 MiB, or the part data of an upload 64 KiB.',
    remedy:
      'Send less. For a file, save it as .xlsx, or remove rows and columns that are not needed. Do not split it: each upload replaces the one before.',
  },
  UnsupportedMediaType: {
    cause: 'The header Content-Type is missing or names another type, or the body has a Content-Encoding.',
    remedy: 'Send application/json, and multipart/form-data for an upload, without an encoding such as gzip.',
  },
  IdempotencyKeyReused: {
    cause: 'The operation or the body differs from that of the first request with this key.',
    remedy: 'Use a new key for each new request, for example a UUID.',
  },
  RateLimited: {
    cause: 'The API client exceeded its requests per second (LOCKERFLOW_RATE_LIMIT).',
    remedy: 'Wait for the seconds in Retry-After, then retry the request.',
  },
  TooManyAttempts: {
    cause: 'Several wrong secrets, or five wrong pin codes of your tenant at one locker.',
    remedy: 'Wait for the seconds in Retry-After and use the correct secret or code.',
  },
  InternalError: {
    cause: 'A defect of the process that answered, which is the service or the gateway.',
    remedy: 'Retry a create only with the same Idempotency-Key. Report the request id of the message.',
  },
  Unavailable: {
    cause:
      'The store is down, the service is overloaded, another request is opening the same door, or too many uploads are queued.',
    remedy: 'Wait for the seconds in Retry-After, then retry the request, a create with the same Idempotency-Key.',
  },
  InvalidShipment: {
    cause:
      'The uid is misspelled, or the shipment was created by another tenant. CreateLocalShipmentAsStockAfterSwapIntake requires an intake.',
    remedy: 'Use a uid from the response of a create operation or from GetShipments.',
  },
  InvalidShipmentState: {
    cause: 'The shipment has ended, has a follower already, or is in a state that excludes the operation.',
    remedy: 'Read the state with GetShipments, and use an operation that this state allows.',
  },
  InvalidShipmentObject: {
    cause: 'The object was removed, or belongs to another shipment.',
    remedy: 'Use a shipmentObjectUid from GetShipments.',
  },
  TooManyObjects: {
    cause: 'A shipment can have at most 100 objects.',
    remedy: 'Remove an object first, or describe several parts by the count of one object.',
  },
  ChainTooLong: {
    cause: 'Swaps, subsequent intakes and circular stock share one locker, which has 200 active shipments already.',
    remedy:
      'Wait until some of them have ended, or cancel those that are not needed: one that is cancelled takes its followers along. Or book another locker.',
  },
  PageTooLarge: {
    cause: 'The page has many shipments with many objects. A page of 10 shipments is never too large.',
    remedy: 'Repeat the request with a smaller pageSize. 10 always works.',
  },
  InvalidPupUid: {
    cause: 'The uid is missing or misspelled, or your tenant does not manage the pick up point.',
    remedy: 'Use a pupUid from GetPickUpPoints.',
  },
  InvalidUserUid: {
    cause: 'The uid is missing, the account was removed, or your tenant does not manage it.',
    remedy: 'Find the account with GetAccount, or create it with CreateOrGetAccount.',
  },
  InvalidLocker: {
    cause: 'The locker uid or name does not exist at this pick up point.',
    remedy: 'Use a locker of the pick up point, or omit LockerUid and let the service choose.',
  },
  LockerOutOfService: {
    cause:
      'The locker in LockerUid, or that of the prior shipment, or its pick up point, is out of service or about to be removed. In the sandbox, a drop off at such a locker has the same code.',
    remedy:
      'Omit LockerUid to let the service choose a locker, or book at another pick up point. GetShipments shows the reason of a locker that is out of service, GetPickUpPoints that of a pick up point.',
  },
  InvalidDimension: {
    cause: 'The item is larger than every permitted locker, or larger than the locker it would share.',
    remedy: 'Check the unit (centimetres), permit larger lockers, or choose another pick up point.',
  },
  NoLockerAvailable: {
    cause: 'All fitting lockers are booked or out of service, or the locker in LockerUid is booked.',
    remedy:
      'Permit larger lockers or the overflow pick up point, or try again later. Omit LockerUid, or name another locker.',
  },
  UnlockNotAllowed: {
    cause:
      'The goal does not match the state, for example a pick up before the drop off, or the locker of a drop off is out of service.',
    remedy:
      'Read the state with GetShipments and use a goal that it allows. Cancel a shipment whose locker is out of service, and book another one.',
  },
  UnlockFailed: {
    cause: 'The hardware reported a failure or did not respond within three seconds. Nothing was changed.',
    remedy: 'Try again. If it persists, check the locker and its adapter.',
  },
  InvalidAccessCode: {
    cause:
      'The code is wrong or belongs to another pick up point, or it is not valid in the current state. For UnlockShipmentLocker without a goal the state does not matter.',
    remedy: 'Read the codes with GetShipmentAccessCode.',
  },
  EmailAlreadyRegistered: {
    cause:
      'Another account uses the address, or the account of userName does not permit another address (canChangeEmailAddress).',
    remedy:
      'Use CreateOrGetAccount without userName to obtain the account of the address. Use the current address of the account of userName, or another address.',
  },
  UserNameAlreadyRegistered: {
    cause: 'Another account has the name as its user name or as its e-mail address.',
    remedy: 'Choose another user name, or omit it: the user name is then the e-mail address.',
  },
  AccessDenied: {
    cause: 'Another tenant manages the main pick up point of the account with this e-mail address or user name.',
    remedy:
      'Use CreateOrGetAccount or GetAccount with its e-mail address to obtain its uid, or have the other tenant change it. If the user name is that of the account, omit it or choose another one.',
  },
  MutationConfigFailed: {
    cause: 'The account was stored, but its configuration was not. In the sandbox, a fault can cause this.',
    remedy: 'Call SetAccountMutationConfig with the userUid of the response.',
  },
  AccountInUse: {
    cause: 'A shipment from or to the account has not ended, possibly one of another tenant.',
    remedy: 'Wait for the shipment to end, then try again. A main account of a dispatcher cannot be removed.',
  },
  MissingFile: { cause: 'The part named file has no content.', remedy: 'Upload a file with a header and rows.' },
  InvalidHeader: {
    cause:
      'The first row, of the first visible sheet in a workbook, does not name all seven columns exactly once. The message has the row.',
    remedy: 'Name each column once, above the people and below nothing else. Casing and order do not matter.',
  },
  InvalidImportType: {
    cause: 'The content is not a supported spreadsheet or CSV, or contradicts the file extension.',
    remedy: 'Save the file as .xlsx or as CSV with semicolons, without a password.',
  },
  NoRequestData: { cause: 'The multipart body lacks the part data.', remedy: 'Add a part named data with JSON.' },
  NoRequestFile: { cause: 'The multipart body lacks the part file.', remedy: 'Add a part named file with the file.' },
  InvalidCallbackUrl: {
    cause: 'The address is not https, cannot be resolved, or resolves to a private, loopback or link-local address.',
    remedy: 'Use a public https address. Staging permits more with LOCKERFLOW_ALLOW_PRIVATE_CALLBACKS.',
  },
  ServiceUnreachable: {
    cause: 'DNS, TCP or TLS failed, so the service cannot have processed the request.',
    remedy: 'Check LOCKERFLOW_BASE_URL and the network. The request can be retried.',
  },
  NoResponse: {
    cause: 'The connection broke or the timeout passed after the request had been sent.',
    remedy: 'Retry a create only with the same Idempotency-Key. Reads can be retried.',
  },
  MalformedResponse: {
    cause: 'A proxy answered instead of the service, or the service is not compatible.',
    remedy: 'Check LOCKERFLOW_BASE_URL. Assume that a create without a response may have booked.',
  },
  SignInFailed: {
    cause:
      'The client id, the secret or LOCKERFLOW_AUTH_URL is wrong. With HTTP 429, five wrong secrets came from this address, and the service refuses the right one too.',
    remedy:
      'Check LOCKERFLOW_CLIENT_ID, LOCKERFLOW_CLIENT_SECRET and LOCKERFLOW_AUTH_URL. After HTTP 429, the right secret is accepted at most 15 minutes after the last process with a wrong one has stopped. Flows keep trying.',
  },
  CallAborted: {
    cause: 'The AbortSignal of the call fired, for example because the activity was cancelled.',
    remedy: 'Nothing. A request that was already sent may have taken effect.',
  },
  UnknownRefusal: {
    cause: 'The service answered success: false without a code that this version knows.',
    remedy: 'Read the message in the log of the service.',
  },
  InvalidFlowInput: {
    cause:
      'The request lacks a field of the create operation or exceeds 256 KiB or 100 levels, a step or the outputs copy it beyond 1 MiB, an answer names a step that does not ask or has a wrong field, a window names an unknown stage, or the calendar of a step has no working day.',
    remedy:
      'Correct the fields that the message names, or the calendar file of the worker. After a refused start the case number can be used again, and after a refused answer the flow still asks.',
  },
  UnknownFlow: {
    cause: 'The workflow type is misspelled, or the worker does not have that flow yet.',
    remedy: 'Use a name that the message lists. For a new flow, update the workers first.',
  },
  CaseInUse: {
    cause: 'A flow with this case number runs or completed, and was started with other input.',
    remedy: 'Use another case number, or a suffix such as I1701-1982/2.',
  },
  BookingGivenUp: {
    cause: 'The service was down or answered with faults for the whole booking window.',
    remedy: 'Start the case again when the service is up. The flow cancelled what it had booked.',
  },
  BookingUncertain: {
    cause: 'The service offers neither idempotency keys nor GetShipments, and the response was lost.',
    remedy: 'Look for the shipment at the service, cancel it there, then start the case again.',
  },
  BookingCancelled: {
    cause: 'The update cancel or the cancel button of the Web UI arrived before the booking.',
    remedy: 'Nothing. The case can be started again.',
  },
  AmbiguousBooking: {
    cause:
      'The worker has a service profile without idempotent, and two book steps of the flow use one operation or run in two branches.',
    remedy: 'Use another operation in one of the steps, or start two flows.',
  },
  CallGivenUp: {
    cause: 'The service was down or answered with faults for the whole window of the step.',
    remedy: 'Start the case again when the service is up. The flow has undone its earlier steps.',
  },
  CallUncertain: {
    cause: 'The connection broke after the request had been sent, and the service profile lacks idempotent.',
    remedy: 'Find out at the service whether the call took effect, undo it there, then start the case again.',
  },
  RunGivenUp: {
    cause:
      'Every attempt of the activity failed or timed out, no worker polls its task queue, or it threw a non-retryable failure without a type.',
    remedy:
      'Correct what the message names: the worker of the task queue, the activity, or the timeout of the step. Then start the case again, unless an item was handed over before the step: a new flow books again.',
  },
  InvalidActivityResult: {
    cause:
      'The result lacks a field that the step keeps, a field has the wrong type, or JSON cannot represent the result.',
    remedy:
      'Correct the activity, or the field keep of the step. The flow has undone the step, or lists it in leftOver for a person.',
  },
  OutputTooLarge: {
    cause:
      'A step returned more than 16 KiB, its activity more than 1.5 MiB, or the steps of the flow more than 128 KiB together.',
    remedy: 'Name fewer fields in keep, or store the value elsewhere and return its address.',
  },
  TooManyItems: {
    cause: 'The list of a forEach step is longer than its atMost.',
    remedy: 'Send fewer items, or raise atMost, to 50 at most.',
  },
  InvalidItemKey: {
    cause: 'The key of a forEach step names a field that is missing, not a text, empty, or the same in two items.',
    remedy: 'Send items with a text of 1 to 64 characters in that field, each with another one.',
  },
  BookingPending: {
    cause: 'The timeout of the caller passed, or five callers wait already. The flow continues.',
    remedy: 'Wait again with the same case number, or read the status.',
  },
  NoWorkerPolls: {
    cause: 'No worker runs, or the workers poll another task queue or namespace than the caller uses.',
    remedy:
      'Compare LOCKERFLOW_TASK_QUEUE and TEMPORAL_NAMESPACE of caller and worker, and read the log of the worker. The flow continues as soon as a worker polls.',
  },
  FlowPaused: {
    cause: 'An operator has paused its workflow, for instance by `temporal workflow pause`.',
    remedy:
      'Unpause it: `temporal workflow unpause --workflow-id case:<case number>`. The callbacks and the cancellation that arrived meanwhile take effect then.',
  },
  TemporalUnreachable: {
    cause:
      'Temporal is down, the address is wrong, the network blocks the connection, or a limit of Temporal delays the call beyond its timeout.',
    remedy: 'Check TEMPORAL_ADDRESS, TLS and the network. The call can be retried with the same case number.',
  },
  TemporalDenied: {
    cause: 'The API key or certificate is missing, expired or for another namespace, or the namespace is misspelled.',
    remedy: 'Check TEMPORAL_NAMESPACE, TEMPORAL_API_KEY and TLS of the caller.',
  },
  TemporalLimitReached: {
    cause:
      'The namespace has too many calls, the flow has too many updates at once or 32 Nexus callers, or the request is too large.',
    remedy:
      'If the request is too large, send less. Otherwise retry the call later with the same arguments, or raise the limit.',
  },
  TemporalFailed: {
    cause: 'Temporal does not accept the call, or has a fault of its own.',
    remedy: 'Correct what the message names, or read the log of Temporal. The call can be retried.',
  },
  DataNotConverted: {
    cause: 'The histories are encrypted and the client lacks the keys, or a value cannot be represented as JSON.',
    remedy:
      'Give the Temporal client the data converter of the worker, such as `readDataConverter()` of `lockerflow/codec`.',
  },
  NoResponseInTime: {
    cause: 'The service is slow or down, or the worker is busy. The flow continues.',
    remedy: 'Retry the call with the same arguments, or read the status.',
  },
  UnknownCase: {
    cause:
      'The case number is misspelled or was never started, or the namespace deleted the flow after its retention period.',
    remedy: 'Compare the case number and TEMPORAL_NAMESPACE with those of the start.',
  },
  InvalidCursor: {
    cause: 'The cursor was changed, or belongs to another call or another filter.',
    remedy: 'Repeat the call without a cursor.',
  },
  InvalidFilter: {
    cause:
      'The condition names an unknown field, compares it with a value that it can never have, or cannot be parsed. Or the page size is not between 1 and 1,000.',
    remedy: 'Correct the field as the message says.',
  },
  SeveralOverdue: {
    cause: 'Several steps of blocks are overdue, and the decision names none of them.',
    remedy: 'Name the step, with its item if it has one, or answer the notification of the step.',
  },
  NothingToDecide: {
    cause: 'The stage is not overdue, a callback completed it in the meantime, or the flow is ending.',
    remedy: 'Read the status. Send decide only while overdue is true.',
  },
  ClockFixed: {
    cause: 'The worker that planned the flow does not belong to a test of `@lockerflow/testing`.',
    remedy: 'Only move the clock of flows started with `startLockers`, or give the flow shorter windows.',
  },
  NotAskedYet: {
    cause: 'An earlier step is not complete, the condition of the step is false, or the flow has no plan yet.',
    remedy: 'Read the status: asks names the step that waits for an answer.',
  },
  AlreadyAnswered: {
    cause: 'Another answer arrived first.',
    remedy: 'Read the status with outputs. The first answer counts.',
  },
  FlowDiffers: {
    cause: 'The declaration was changed on one side only.',
    remedy: 'Give the caller and the worker the same declaration; update the workers first.',
  },
  InvalidFileUrl: {
    cause: 'The address is not https, or resolves to a private, loopback or link-local address, or to none.',
    remedy: 'Publish the file at a public https address without a redirect.',
  },
  FileNotFetched: {
    cause:
      'The server answered with a redirect, or with an error that no retry changes, such as 404. If it was down, slower than 128 KiB in 20 s, or busy with five other imports for the whole window of the step, the flow ends with RunGivenUp.',
    remedy: 'Open the address without credentials and correct it, then start the case again.',
  },
  FileTooLarge: {
    cause: 'The file exceeds 10 MiB.',
    remedy:
      'Save the file as .xlsx, or remove rows and columns that are not needed. Do not split it: each upload replaces the one before.',
  },
  NothingToAdopt: {
    cause: 'The shipments of the case ended, or form more than one booking.',
    remedy: 'List the case with lockerflow sweep, then cancel or complete its shipments.',
  },
  ReadsUnsupported: {
    cause: 'LOCKERFLOW_SERVICE_PROFILE lacks reads or reads-by-case.',
    remedy:
      'If the service lists shipments by case, add reads,reads-by-case to the profile. Otherwise look for them at the service.',
  },
  NotificationNotDelivered: {
    cause: 'The receiver failed or was down for three days.',
    remedy: 'Repair the receiver. Read the status of the flow for what it missed.',
  },
  FlowEnded: {
    cause:
      'The flow ended before the update arrived, `waitForBooking` finds that every shipment of the booking was cancelled, or the `queryRejectCondition` of the Temporal client rejects its queries.',
    remedy: 'Read its result.',
  },
  FlowTerminated: {
    cause: 'The workflow was terminated in Temporal, or reached an execution or run timeout that its starter had set.',
    remedy: 'List its shipments with lockerflow sweep, then use --adopt or --cancel.',
  },
  InvalidSettings: {
    cause:
      'An environment variable is missing, malformed, contradicts another, or is a secret published in the documentation.',
    remedy: 'Set the variables that the message names, in the form of their examples, then start again.',
  },
  InvalidArguments: {
    cause: 'An argument or option is missing, unknown, malformed or contradicts another.',
    remedy: 'Run the command with --help, which shows its arguments, its options and an example.',
  },
  NotReachable: {
    cause: 'The process is not running, its address is wrong, or a firewall blocks the connection.',
    remedy: 'Run lockerflow doctor, which names the part that does not respond and how to fix it.',
  },
  StillPending: {
    cause: 'The flow or the booking needs longer than the command waits.',
    remedy: 'Run the command again. The flow continues meanwhile.',
  },
  Interrupted: {
    cause: 'A person or a supervisor ended the command.',
    remedy: 'Run the command again.',
  },
  InvalidSignature: {
    cause: 'The key does not match, the body was changed, or headers are missing.',
    remedy: "Compare the key with the sender's, and verify the raw body before a framework parses it.",
  },
  CommandFailed: {
    cause: 'The service refused, a file is wrong, or the state does not allow the action.',
    remedy: 'Correct what the message names, and run the command again.',
  },
}
