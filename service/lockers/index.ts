// Lockers: reservation by size, access codes, the limit on wrong PINs, leases of doors, and lockers out of service.
// Imported by the service's shipments, operations, HTTP side, topology and changes out of service.
export {
  type AccessCodes,
  allocateAccessCodes,
  drawAccessCodes,
  encryptAccessCodes,
  readAccessCodes,
  startAccessCodes,
} from './accessCodes.ts'
export { assertDoorFree, DoorInUse, endDoorLease, leaseDoor } from './doorLeases.ts'
export { createDoorWaits, type DoorWaitParts } from './doorWaits.ts'
export { assertTakesBookings, assertTakesItems, type OutOfService, toOutOfService } from './outOfService.ts'
export { assertNotLocked, rejectPin, resetPinAttempts } from './pinAttempts.ts'
export {
  type Dimension,
  lockerFits,
  type ReservedLocker,
  reserveLocker,
  reserveSpecificLocker,
  toSides,
  type UnavailableReason,
} from './reserve.ts'
export { type Access, accesses, releaseAccessCodes, renewDeliveryCode, renewPickUpCode } from './shipmentCodes.ts'
