// The entry `api`: the operations of the service, without flows.
export { type Api, ApiFault, ApiRefusal, type ApiSettings, type CallOptions, createApi } from '#contract/client'
export type { OperationName, RequestOf, ResponseOf } from '#contract'
