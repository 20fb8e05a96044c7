// The protocol between the service and an adapter of locker hardware: messages, limits, OpenAPI document.
// Only contract/index.ts imports this.
export { eventRefusals, hardwareDocument, refusals as hardwareRefusals } from './document.ts'
export { hardwareExamples } from './examples.ts'
export {
  adapterPaths,
  type DoorEvent,
  type DoorEventName,
  type DoorState,
  doorEvent,
  doorEvents,
  doorStates,
  eventPath,
  maxMessageBytes,
  type OpenRequest,
  type OpenResponse,
  openRequest,
  openResponse,
  responseTimeout,
  type StateRequest,
  type StateResponse,
  stateRequest,
  stateResponse,
} from './messages.ts'
