// The HTTP side of the service: routes from the operation table, checks in a fixed order, one shape of responses.
// Only the start of the service imports this.
export { createServer, type Server, type ServerParts } from './app.ts'
export type { TrustedTraces } from './traceRequests.ts'
