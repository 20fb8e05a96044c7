// The entry `gateway`: callbacks in, signals out.
export {
  type CallbackReceiver,
  createReceiverFromEnvironment as createReceiver,
  type Gateway,
  type GatewaySettings,
  type ReceiverSettings,
  startGatewayFromEnvironment as startGateway,
} from '#gateway'
