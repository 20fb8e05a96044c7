// The rules of shipments: which event is allowed when, its effect on linked shipments, and which states can follow which.
// Pure, without a store or a clock. The service applies events in its transaction; a flow's plan reads the reachability.
export {
  type CancellableRoles,
  cancellableRoles,
  type ShipmentBlock,
  type ShipmentStep,
  type WaitedStates,
} from './cancellable.ts'
export { applyEvent, type BookedShipment, type Group, withSuccessors } from './jointStates.ts'
export {
  applyToLinked,
  canBeFollowed,
  findNoFollowerReason,
  initialStateAfter,
  type LinkedChange,
  type LinkedResult,
  type LinkedShipment,
  type NoFollowerReason,
} from './links.ts'
export { type ShipmentContext, type ShipmentEvent, shipmentMachine } from './shipment.ts'
export {
  type ApplyResult,
  apply,
  type MachineSnapshot,
  type Reachability,
  reachability,
  type ShipmentTransition,
  shipmentTransitions,
} from './transitions.ts'
