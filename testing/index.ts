// Tests of programs that start flows or call the service: a whole stack in one call, its people, faults and time.
// The package @lockerflow/testing publishes this door. Nothing here loads the service before `startService` or `startLockers`.

export type { Clock, Snapshot } from '#testing/stack'
export { type Arrival, stories } from '#testing/story/arrivals'
export { type ConnectedLockers, type ConnectOptions, connectLockers } from './connect.ts'
export type { FaultSettings, Faults } from './faults.ts'
export type { Journal } from './journal.ts'
export type { NotificationEntry, Notifications } from './notifications.ts'
export type { People, ShipmentChoice } from './people.ts'
export { startLockers, startService } from './start.ts'
export type { CallbackEntry, RequestEntry } from './traffic.ts'
export type { LockerService, Lockers, LockersOptions, ServiceOptions } from './types.ts'
