// The words that both halves share: plain data without run-time imports.
// Everybody may import this, sandboxed workflow code included.
export { searchAttributes } from './attributes.ts'
export { canonicalJson } from './canonical.ts'
export { caseNoIn, caseNumber, idempotencyKeyOf, isCaseNo, workflowIdOf } from './cases.ts'
export { clientErrors, type ErrorCode, errors, flowErrors, isErrorCode, refusals, requestErrors } from './errors.ts'
export type {
  Booked,
  BookedQuestion,
  CancelAnswer,
  CancelOrder,
  Decision,
  FlowInput,
  FlowOutcome,
  FlowResult,
  FlowShipment,
  FlowState,
  FlowStatus,
  LeftOver,
  ReceiverOrder,
  Refusal,
  ShipmentStatus,
  WindowAnswer,
} from './flow.ts'
export { type Notice, type NoticeType, noticeTypes } from './notice.ts'
export { fullProfile, profileWords, readProfile, type ServiceProfile } from './profile.ts'
export { taskQueue } from './queue.ts'
export { type ShipmentType, shipmentTypes } from './shipmentTypes.ts'
export { activeStates, readStateCode, type StateCode, stateCodes, states } from './states.ts'
export type { OrphanedCase, OrphanedShipment, SweepOrder, SweepReport } from './sweep.ts'
export { type Duration, milliseconds } from './windows.ts'
