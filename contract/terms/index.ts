// The terms that service and orchestrator share: plain data without run-time imports.
// Any folder may import this, including sandboxed workflow code.
export { canonicalJson, describeDifference, differingFields, isRecord } from './canonical.ts'
export {
  businessErrors,
  callErrors,
  clientErrors,
  type DocumentedCode,
  type ErrorCode,
  errorReference,
  errors,
  flowErrors,
  isErrorCode,
  processErrors,
  requestErrors,
  specifiedCodes,
  withoutFile,
  withPage,
  withReference,
} from './errors.ts'
export { LinesError, linesOfError, toPrintable } from './lines.ts'
export { findNearest, suggest } from './nearest.ts'
export { fullProfile, profileWords, readProfile, type ServiceProfile } from './profile.ts'
export {
  activeStates,
  holdsItem,
  isFinalState,
  type Link,
  links,
  readStateCode,
  type ShipmentType,
  type StateCode,
  shipmentTypes,
  stateCodes,
  states,
} from './shipments.ts'
export { grpcStatuses, taskQueue, toFlowQueue, toOutsideQueue, workerQueues } from './temporal.ts'
export { type Duration, furthestClock, mustBeDuration, parseDuration, readTime } from './time.ts'
