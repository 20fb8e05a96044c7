// The contract between the service and its callers: operations, callback, signatures, OpenAPI document.
// Imported by every folder except sandboxed workflow code, which may import types only.
export { type Callback, callback, callbackMessageType } from './callback.ts'
export { fingerprint, normalizeKeys } from './casing.ts'
export {
  type DecisionLink,
  decisionPath,
  linkedDecisions,
  type ReadDecisionLink,
  readDecisionLink,
  writeDecisionLink,
} from './decisionLink.ts'
export {
  accessScope,
  commonHeaders,
  discoveryPath,
  documentPath,
  healthPaths,
  type IntrospectionResponse,
  introspectionPath,
  introspectionResponse,
  keySetPath,
  pagePath,
  type TokenResponse,
  tokenErrors,
  tokenPath,
  tokenResponse,
} from './endpoints.ts'
export { type Envelope, envelope, failed, lenientEnvelope, succeeded } from './envelope.ts'
export { type ErrorAdvice, errorGuide } from './errorGuide.ts'
export { callbackExample, type Example, examples } from './examples/index.ts'
export {
  isTooDeep,
  maxLevels,
  mustBeTaskQueue,
  taskQueuePattern,
  toUtcWithoutOffset,
  userName,
  utcTime,
} from './fields.ts'
export {
  adapterPaths,
  type DoorEvent,
  type DoorEventName,
  type DoorState,
  doorEvent,
  doorEvents,
  doorStates,
  eventPath,
  eventRefusals,
  hardwareDocument,
  hardwareExamples,
  hardwareRefusals,
  maxMessageBytes,
  type OpenRequest,
  type OpenResponse,
  openRequest,
  openResponse,
  responseTimeout,
  type StateRequest,
  type StateResponse,
  stateRequest,
  stateResponse,
} from './hardware/index.ts'
export { describeIssue, describeProblem, toMust } from './issues.ts'
export { type DocumentOptions, openApiDocument, requestSchema } from './openapi/index.ts'
export type { Effect, Operation } from './operation.ts'
export { emailAddress, type MutationFlag, mutationFlags } from './operations/account/account.ts'
export { type Suggestion, suggestion } from './operations/account/suggestion.ts'
export { isOperationName, operationAt, operations } from './operations/index.ts'
export type { ShipmentItem } from './operations/logistics/shipmentListing.ts'
export { objectLimits } from './operations/logistics/shipmentObject.ts'
export type { CallbackAuthType } from './operations/platform/configureCallback.ts'
export { type Missing, readiness, toReadiness } from './readiness.ts'
export { readRequest } from './request.ts'
export {
  type CallbackAddress,
  type CallbackProbe,
  jsonLines,
  type RecentCallback,
  type RecentRequest,
  type ResendRequest,
  recentQuery,
  resendRequest,
  sandboxPaths,
} from './sandbox.ts'
export {
  apiKeyHeader,
  beginWebhookCheck,
  checkWebhookSignature,
  defaultUidSignatureScheme,
  isValidUidSignature,
  isWebhookKey,
  mustBeWebhookKey,
  type SignatureError,
  timestampTolerance,
  type UidSignatureScheme,
  uidSignature,
  type WebhookSignatureCheck,
  webhookHeaders,
  webhookSecret,
  webhookSignature,
  webhookSignatureHeaders,
} from './signature.ts'
export type { OperationName, ReadRequestOf, RequestOf, ResponseOf, UploadName } from './types.ts'
export { type CallbackHeaders, type VerifiedCallback, verifyCallback } from './verifyCallback.ts'
