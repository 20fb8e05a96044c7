// Lockers and pick up points that do not work, from the operator's side: listing them, and putting them in and out of service.
// Imported by the service's topology and its own door.
export { changeService, closeLockers, type ServiceTarget } from './change.ts'
export type { AffectedShipment, LockerEntry, PickUpPointEntry } from './list.ts'
export {
  createLockerRegistry,
  type LockerRegistry,
  type NamedTarget,
  openLockerRegistry,
  type ServiceChanged,
} from './registry.ts'
