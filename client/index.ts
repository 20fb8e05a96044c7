// The client of flows: starts them, waits for them, sends their updates; typed by the flow's name.
// Other folders and the examples import this door. It imports neither worker nor activities.

export type { ErrorCode } from '#contract/terms'
export type {
  Decision,
  FlowInput,
  FlowName,
  FlowResult,
  FlowShipment,
  FlowStatus,
  LeftOver,
} from '#flows'
export { FlowCallError } from './causes.ts'
export { createFlowClient } from './flowClient.ts'
export type { AnswerOf, FlowRequest, InputOf, NameOf, ResultOf, ShipmentOf, WindowName } from './flowTypes.ts'
export type {
  Answered,
  Assigned,
  Booked,
  BookingPending,
  Cancelled,
  CancelPending,
  CaseFinished,
  CaseInUse,
  Decided,
  Ended,
  MissingResponse,
  RefusalCode,
  Refused,
  Released,
  ReleasePending,
  Started,
  Status,
  UnknownCase,
} from './results.ts'
export type { FlowClient, FlowClientOptions, FlowWorkflow, WaitOptions } from './types.ts'
