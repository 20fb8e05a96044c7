// The process that receives the service's callbacks and signals flows.
// The command, test cases on real parts and tests import this file; production starts main.ts.

export {
  type FlowApiSettings,
  flowApiDocument,
  flowApiOperations,
  readFlowApi,
  statusByKind,
  statusByProblem,
  watchOperation,
} from './flowApi/index.ts'
export { type Gateway, startGateway, startGatewayFromEnvironment } from './gateway.ts'
export { type Counts, type Outcome, outcomes } from './outcomes.ts'
export { type CallbackReceiver, createReceiverFromEnvironment } from './receiver.ts'
export { type GatewaySettings, gatewayVariables, type ReceiverSettings } from './settings.ts'
