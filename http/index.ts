// The parts that HTTP listeners of several processes share: the reference page, and errors of requests without a route.
export { type AllowedMethods, collectMethods } from './allowedMethods.ts'
export {
  findHeaderFault,
  type HeaderFault,
  type Malformed,
  requestIdHeader,
  safeRequestId,
  sendClientError,
} from './clientError.ts'
export { type ReferencePage, referencePageRoutes } from './referencePage/index.ts'
