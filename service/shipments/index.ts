// Shipments in the store: creating, linking, loading and listing them, their objects, and their transitions.
// Imported by the service's operations, HTTP side and retention, and by the removal of tenants.
export { type BatchedBooking, type BookInBatch, createBatches, type KeyRow } from './batch.ts'
export { countChanges } from './changeRanges.ts'
export { countEnded } from './counts.ts'
export { createShipment, type Party, resolveParty, type ShipmentRequest } from './create.ts'
export { createLinkedShipment, type LinkedShipmentRequest } from './createLinked.ts'
export { deleteShipments } from './delete.ts'
export { type Issued, issueFromStock } from './issueFromStock.ts'
export { listShipments } from './list.ts'
export {
  assertActive,
  lockActiveShipment,
  lockIntake,
  lockShipment,
  readLockerName,
  requireShipment,
  type Shipment,
  toBookedResponse,
} from './load.ts'
export { addObject, assertOwnObject, removeObject } from './objects.ts'
export { countRanges } from './ranges.ts'
export { transition } from './transition.ts'
export { recordChange, updateTexts } from './updateTexts.ts'
