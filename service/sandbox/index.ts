// Parts that only staging has: faults that an integrator switches on, and the traffic of the last minutes.
// Imported by the service's start, accounts, operations and HTTP side.
export { changeFaults, readFaults } from './faults.ts'
export type { Recent } from './recent.ts'
export { createTraffic, type Traffic } from './traffic.ts'
