// The rules: what an event makes of a shipment and of those linked to it, and which states can follow which.
// Pure, without a store or a clock. The service applies them in its transaction; the plan of a flow takes the reachability.
export { type Applied, apply, type HeldShipment } from './apply.ts'
export {
  canBeFollowed,
  firstStateAfter,
  type Happened,
  happen,
  type LinkedChange,
  type LinkedShipment,
} from './links.ts'
export { type Reachability, reachability } from './reachable.ts'
export { initialFacts, type Link, type ShipmentEvent, type ShipmentFacts, shipmentMachine } from './shipment.ts'
