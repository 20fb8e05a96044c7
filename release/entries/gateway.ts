// The entry `gateway`: callbacks in, signals out.
export { type Gateway, type GatewaySettings, startGateway } from '#gateway'
