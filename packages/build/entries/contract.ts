// The entry `contract`: operations, callback, errors and signatures, and the body of a notification.
export {
  type Callback,
  type CallbackHeaders,
  callback,
  checkWebhookSignature,
  type OperationName,
  openApiDocument,
  operations,
  type RequestOf,
  type ResponseOf,
  type SignatureError,
  type VerifiedCallback,
  verifyCallback,
  webhookHeaders,
  webhookSecret,
  webhookSignature,
} from '#contract'
export { type ErrorCode, errorReference, errors, type ShipmentType, type StateCode, states } from '#contract/terms'
export type { FlowNotification } from '#flows'
