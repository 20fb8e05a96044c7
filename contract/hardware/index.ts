// The protocol between the service and an adapter of locker hardware: messages, limits, OpenAPI document.
// Only the contract's own door imports this.
export { hardwareDocument, refusals as hardwareRefusals } from './document.ts'
export { hardwareExamples } from './examples.ts'
export { adapterPaths, eventPath, maxMessageBytes, responseTimeout } from './limits.ts'
export {
  type DoorEvent,
  type DoorEventName,
  type DoorState,
  doorEvent,
  doorEvents,
  doorStates,
  type OpenRequest,
  type OpenResponse,
  openRequest,
  openResponse,
  type StateRequest,
  type StateResponse,
  stateRequest,
  stateResponse,
} from './messages.ts'
