// Which pick up points a tenant may use, and how their lockers stand.
// Imported by the service's operations, shipments and accounts.
export { type LockerSize, lockerSizes } from './lockerSizes.ts'
export { findPickUpPoint, pickUpPointOf, pickUpPointsOf } from './managed.ts'
