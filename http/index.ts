// The parts that HTTP listeners of several processes share: request ids, the limit of arrival, checks before a body is read,
// errors of requests without a route, access tokens, and the reference page.
export { findTokenHeaderFault, KeysUnavailable, verifyAccessToken } from './accessTokens.ts'
export { type AllowedMethods, collectMethods } from './allowedMethods.ts'
export { type Malformed, sendClientError } from './clientError.ts'
export { type ReferencePage, referencePageRoutes } from './referencePage/index.ts'
export {
  checkEncoding,
  findHeaderFault,
  type HeaderFault,
  limitArrival,
  noOperation,
  readRequestId,
  rejectNotFound,
  requestIdHeader,
} from './request.ts'
