// The process that takes the service's callbacks and signals flows.
// The command and tests import this; a production gateway starts main.ts.
export { gatewayVariables } from './environment.ts'
export { type Gateway, startGateway } from './gateway.ts'
export type { Counts, Outcome } from './outcomes.ts'
export type { GatewaySettings } from './settings.ts'
