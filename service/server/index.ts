// The HTTP side of the service: routes made from the operation table, checks in their order, one shape of answers.
// Only the start of the service imports this.
export { createServer, type Server, type ServerParts } from './app.ts'
export { sweepIdempotencyKeys } from './idempotency.ts'
