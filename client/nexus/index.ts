// The flows as a Nexus service: the contract that callers of other namespaces import, even in workflow code. It loads
// nexus-rpc alone. The handlers are in handlers/, which workers import.
export { type FlowError, findFlowError } from './flowError.ts'
export {
  type BookedFlow,
  type CancelFlowInput,
  type CaseInput,
  type DecideFlowInput,
  type FlowOperations,
  type FlowService,
  flowEndpoint,
  flowService,
  type StartFlowInput,
} from './service.ts'
