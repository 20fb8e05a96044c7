// The entry `gateway`: callbacks in, signals out.
export {
  type CallbackReceiver,
  createReceiver,
  type Gateway,
  type GatewaySettings,
  type ReceiverSettings,
  startGateway,
} from '#gateway'
