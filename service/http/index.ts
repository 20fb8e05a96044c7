// The HTTP side of the service: routes from the operation table, checks in a fixed order, one shape of responses.
// Only the start of the service and the service without a port import this.

export { createServiceApp } from './app.ts'
export { toOperationError } from './failures.ts'
export { parseRequest } from './parseRequest.ts'
export { type OperationResult, toRefusal } from './result.ts'
export { createRunOperation } from './runOperation.ts'
