// The process that receives the service's callbacks and signals flows.
// The command, test cases on real parts and tests import this door; production starts main.ts.

export { gatewayVariables } from './environment.ts'
export {
  type FlowApiSettings,
  flowApiDocument,
  flowApiOperations,
  readFlowApi,
  statusByKind,
  statusByProblem,
  watchOperation,
} from './flowApi/index.ts'
export {
  createReceiverFromEnvironment,
  startGatewayFromEnvironment,
} from './fromEnvironment.ts'
export { type Gateway, startGateway } from './gateway.ts'
export { type Counts, type Outcome, outcomes } from './outcomes.ts'
export type { CallbackReceiver } from './receiver.ts'
export type { GatewaySettings, ReceiverSettings } from './settings.ts'
