// The client of flows: starts them, waits for them, sends their updates; typed by the flow's name.
// Other folders and the examples import this file. It imports neither worker nor activities.

export type { ErrorCode } from '#contract/terms'
export type {
  Decision,
  FlowFailure,
  FlowInput,
  FlowName,
  FlowResult,
  FlowShipment,
  FlowState,
  FlowStatus,
  LeftOver,
} from '#flows'
export type { FlowDeclaration } from '#flows/declaration'
export { FlowCallError } from './causes.ts'
export type { Change, OverdueChange, ShipmentChange, StageChange } from './changes.ts'
export { createFlowClient } from './flowClient.ts'
export type { AnswerOf, FlowRequest, InputOf, NameOf, ResultOf, ShipmentOf, WindowName } from './flowTypes.ts'
export type {
  Answered,
  Booked,
  BookingPending,
  Cancelled,
  CancelPending,
  CaseFinished,
  CaseInUse,
  Decided,
  Ended,
  EndPending,
  Interrupted,
  Listed,
  ListedCase,
  MissingResponse,
  PendingReason,
  RefusalCode,
  Refused,
  Started,
  Status,
  UnknownCase,
  Watched,
} from './results.ts'
export type {
  BookingOptions,
  EndOptions,
  FlowClient,
  FlowClientOptions,
  FlowWorkflow,
  ListFilter,
  Once,
  OnceOptions,
  SignalOptions,
  StatusOptions,
  WaitOptions,
  WatchOptions,
} from './types.ts'
