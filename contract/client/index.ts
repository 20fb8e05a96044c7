// The typed client of the service's API: sign-in, one shared token, timeouts, retries of reads, access codes redacted.
// Activities, worker, gateway, simulator and command import this file. It also serves callers that use operations without flows.
export { createApi } from './api.ts'
export { ApiFault, ApiRefusal, requestedPause } from './failures.ts'
export { type HttpRequest, type HttpResponse, retryAfter } from './post.ts'
export type { ApiSettings, ApiTimeouts } from './settings.ts'
export { maxUploadBytes } from './settings.ts'
export type { Transport } from './transport.ts'
export { TransportError } from './transportError.ts'
export type { Api, CallOptions, JsonOperationName, SendOptions } from './types.ts'
export type { UploadedFile, UploadOptions } from './upload.ts'
