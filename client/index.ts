// What other services import to start and watch flows.
// It stands on Temporal's client, the contract and the declarations; it knows neither worker nor activities.
export type { Decision, FlowInput, FlowResult, FlowShipment, FlowStatus, LeftOver } from '#contract/terms'
export type { AnyFlowName, FlowName, PlainFlowName } from '#workflows/flows'
export type {
  Assigned,
  Booked,
  BookingPending,
  Cancelled,
  CancelPending,
  CaseFinished,
  CaseInUse,
  Decided,
  Ended,
  Refused,
  Released,
  ReleasePending,
  Started,
  Status,
  UnknownCase,
} from './answers.ts'
export { findCase, type KnownCase, outcomeOf } from './case.ts'
export { createFlowClient, type FlowClient, type FlowClientOptions, type WaitOptions } from './flowClient.ts'
