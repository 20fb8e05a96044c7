// Tenants, API clients, pick up points and lockers: the file that declares them, and applying it to the store.
// Only the service's own folders import this.
export { applyTopology } from './apply.ts'
export { demoTopology } from './demo.ts'
export { listDoors } from './doors.ts'
export { readTopology } from './read.ts'
export type { Topology } from './shape.ts'
