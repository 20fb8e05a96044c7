// The entry `api`: the operations of the service, without flows.

export type { OperationName, RequestOf, ResponseOf } from '#contract'
export { type Api, ApiFault, ApiRefusal, type ApiSettings, type CallOptions, createApi } from '#contract/client'
