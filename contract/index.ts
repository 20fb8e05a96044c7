// The contract between the service and whoever calls it: every operation once, the callback, the signatures.
// Everybody but sandboxed workflow code may import this; that code may use its types.
export { type Callback, callback, callbackMessageType } from './callback.ts'
export { foldKeys } from './casing.ts'
export { type DocumentOptions, openApiDocument } from './document/index.ts'
export { type Envelope, envelope, lenientEnvelope, succeeded } from './envelope.ts'
export { callbackExample, type Example, examples } from './examples/index.ts'
export { fingerprint } from './fingerprint.ts'
export type { Effect, Operation } from './operation.ts'
export { type MutationFlag, mutationFlags } from './operations/account/account.ts'
export { type Suggestion, suggestion } from './operations/account/suggestion.ts'
export { operations } from './operations/index.ts'
export type { ShipmentItem } from './operations/logistics/shipmentListing.ts'
export type { CallbackAuthType } from './operations/platform/configureCallback.ts'
export { discoveryPath, documentPath, healthPaths, keySetPath, pagePath } from './paths.ts'
export { describeIssue, readRequest } from './request.ts'
export {
  apiKeyHeader,
  defaultWeakScheme,
  type SignatureFault,
  timestampTolerance,
  type WeakScheme,
  weakSignature,
  weakSignatureHolds,
  webhookFault,
  webhookHeaders,
  webhookSecret,
  webhookSignature,
} from './signature.ts'
export { accessScope, type TokenResponse, tokenErrors, tokenPath, tokenResponse } from './token.ts'
export type { OperationName, ReadRequestOf, RequestOf, ResponseOf, UploadName } from './types.ts'
