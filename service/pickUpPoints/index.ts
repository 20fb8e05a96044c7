// The pick up points of a tenant, and counts of their lockers.
// Imported by the service's operations, shipments, accounts and suggestions.

export {
  findBookingPlace,
  findPickUpPoint,
  requirePickUpPoint,
  requirePickUpPointUntilLeft,
  selectPickUpPoints,
  unknownPickUpPoint,
} from './load.ts'
export { countLockersBySize, type LockerSize } from './lockerSizes.ts'
