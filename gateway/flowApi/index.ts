// The listener of the gateway at which callers start flows by HTTP, with access tokens.
// gateway/index.ts imports this.

export { type FlowApiDocumentOptions, flowApiDocument } from './document.ts'
export { statusByProblem } from './documentResponses.ts'
export { type FlowApiOperation, flowApiOperations, watchOperation } from './operations.ts'
export { resultSchemas, statusByKind } from './results.ts'
export { type FlowApiSettings, flowApiVariables, readFlowApi } from './settings.ts'
export { type FlowApi, loadFlowApiFlows, startFlowApi } from './start.ts'
