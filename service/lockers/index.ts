// Lockers: reservation by size, access codes, the limit on wrong PINs, and leases of doors.
// Imported by the service's shipments and operations.
export { type Access, accesses, findAccess } from './access.ts'
export { allocateAccessCodes, releaseAccessCodes, renewDeliveryCode, renewPickUpCode } from './accessCodes.ts'
export { assertDoorFree, DoorInUse, endDoorLease, leaseDoor } from './doorLeases.ts'
export { createDoorWaits, type DoorWaitParts } from './doorWaits.ts'
export { assertNotLocked, rejectPin, resetPinAttempts } from './pinAttempts.ts'
export {
  type Dimension,
  lockerFits,
  type ReservedLocker,
  reserveLocker,
  reserveSpecificLocker,
  type UnavailableReason,
} from './reserve.ts'
