// The flows: their declarations, inputs, results, plans and identifiers; data without run-time imports but #contract/terms.
// Adding a flow is a file in booking/ or accounts/ and a line in that folder's index.ts.

export { type Duration, mustBeDuration, parseDuration } from '#contract/terms'
export { toAdoption } from './adoption.ts'
export {
  type BookingOperation,
  bookings,
  existingShipment,
  findRoles,
  type Role,
  type Roles,
  roleToCancel,
  toExistingShipmentUid,
} from './bookings.ts'
export { findCancelFault, maxReason } from './cancelArgument.ts'
export { type BookingFlowName, bookingFlows, type FlowName, findDeclaration, flows, rolesOf } from './catalogue.ts'
export type { GoTo, OnTimeout } from './declaration/common.ts'
export type { Field, FieldName, Fields, OptionalField } from './declaration/fields.ts'
export type { Comparison, Json, Path, Source, When } from './declaration/sources.ts'
export type { FlowDeclaration } from './declaration.ts'
export type { Cause, Edge, TakenEdge } from './edges.ts'
export { caseNumber, findCaseNo, isCaseNo, mustBeCaseNo, toBookingId, toStepKey, toWorkflowId } from './ids.ts'
export { findInputFields, findInputStep, findWindowed } from './inputFields.ts'
export type { PlannedAsk } from './kinds/ask/step.ts'
export type { PlannedRange } from './kinds/block.ts'
export { isBlock, type PlannedBlock, siblingAfter } from './kinds/blocks.ts'
export type { PlannedBook } from './kinds/book/step.ts'
export type { PlannedCall } from './kinds/call/step.ts'
export type { PlannedForEach } from './kinds/forEach/step.ts'
export type { PlannedGroup } from './kinds/group/step.ts'
export {
  allSteps,
  kindNameOf,
  kindNames,
  kindOf,
  listsOf,
  mapSteps,
  type PlannedLeaf,
  type PlannedStep,
  sentBy,
} from './kinds/index.ts'
export type { Planning } from './kinds/kind.ts'
export type { DeclaredList, PlannedList } from './kinds/lists.ts'
export type { PlannedParallel } from './kinds/parallel/step.ts'
export type {
  CalendarRule,
  CalendarWindow,
  PlannedLeaves,
  PlannedRole,
  PlannedWindow,
} from './kinds/planned.ts'
export type { PlannedRepeat } from './kinds/repeat/step.ts'
export type { PlannedRun, RunCall, UndoRun } from './kinds/run/step.ts'
export type { PlannedSleep } from './kinds/sleep/step.ts'
export type { PlannedSwitch } from './kinds/switch/step.ts'
export type { PlannedWait } from './kinds/wait/step.ts'
export {
  type LeftOver,
  leftOverReasons,
  toDuplicateReason,
  toFailedReason,
  toRefusedReason,
  toUndoFailedReason,
} from './leftOvers.ts'
export { type DecisionLinks, type FlowNotification, type NotificationType, notificationTypes } from './notification.ts'
export type { FlowPicture, PictureStep } from './picture.ts'
export type { FlowPlan, PlanFlowInput, PlannedNotifications, PollInterval } from './plan.ts'
export { describePoint, pathOfPoint } from './points.ts'
export { type FlowPriority, priorities, toFlowPriority } from './priority.ts'
export { isClosedRun, isOpenRun, searchAttributes } from './searchAttributes.ts'
export { secretFields } from './secretFields.ts'
export type { CallbackSinks, EdgeSinks } from './sinks.ts'
export { toStarterView } from './starterView.ts'
export type { LateBookings, OrphanedCase, OrphanedShipment, SweepInput, SweepReport } from './sweep.ts'
export type {
  AnswerResult,
  AnswerUpdate,
  BookingResult,
  CancelResult,
  CancelUpdate,
  Decision,
  FlowFailure,
  FlowInput,
  FlowLine,
  FlowOutcome,
  FlowResult,
  FlowShipment,
  FlowState,
  FlowStatus,
  MoveClockUpdate,
  MovedClock,
  OpenQuestion,
  Question,
  Rejection,
  ShipmentStatus,
  StatusOptions,
  TimeoutPolicy,
  WaitForBookingUpdate,
} from './types.ts'
export {
  checkFields,
  evaluate,
  type FieldCheck,
  isMerge,
  isOrdered,
  isQuoted,
  isReference,
  isUid,
  jsonBytes,
  type Order,
  outputLimits,
  pathsIn,
  pathsInOutputs,
  pathsInWhen,
  pickFields,
  readFields,
  readMoment,
  readPath,
  resolve,
  resolveOutputs,
  sentLimit,
  simplify,
  toConnectives,
  toOrder,
  type Values,
} from './values/index.ts'
