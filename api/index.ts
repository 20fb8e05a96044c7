// The typed client of the service's API: sign-in, one shared token, time-outs, retries of reads, codes stripped.
// Activities, gateway and command import this, and whoever wants the operations without flows.
export { type Api, type CallOptions, createApi } from './api.ts'
export { retryAfter } from './exchange.ts'
export { ApiFault, ApiRefusal } from './failures.ts'
export type { ApiSettings, ApiTimeouts } from './settings.ts'
export { longestUpload } from './settings.ts'
export type { UploadedFile, UploadOptions } from './upload.ts'
