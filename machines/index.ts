// The rules: what an event makes of a shipment, and which states can follow which. Pure, without a store or a clock.
// The service applies them inside its transaction; the plan of a flow takes the reachability from them.
export { type Applied, apply, type HeldShipment } from './apply.ts'
export { type Reachability, reachability } from './reachable.ts'
export { initialFacts, type ShipmentEvent, type ShipmentFacts, shipmentMachine } from './shipment.ts'
