// The parts that HTTP listeners of several processes share: listening, request ids, the limits of arrival and of reading, checks before
// a body is read, the errors of listeners, and the reference page.
export { type AllowedMethods, collectMethods } from './allowedMethods.ts'
export { toThrottleAddress } from './callerAddress.ts'
export { bearerRealm, toChallenge } from './challenge.ts'
export {
  type ClientErrors,
  clientErrorStatus,
  exemptFromArrivalLimit,
  rejectConnect,
  sendClientError,
} from './clientError.ts'
export { measureEventLoopDelay } from './eventLoopDelay.ts'
export { listen } from './listen.ts'
export { createListenerErrors, ListenerError } from './listenerErrors.ts'
export { type ApiDocs, apiDocsRoutes } from './referencePage/index.ts'
export {
  checkEncoding,
  findHeaderFault,
  type HeaderFault,
  isHealthRoute,
  limitArrival,
  limitStall,
  noOperation,
  readRequestId,
  rejectNotFound,
  requestIdHeader,
} from './request.ts'
