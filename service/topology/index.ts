// Tenants, API clients, pick up points and lockers as an operator declares them, and their way into the store.
// Only the service's own folders import this.
export { applyTopology } from './apply.ts'
export { demonstration } from './demonstration.ts'
export { readTopology } from './read.ts'
export type { Topology } from './shape.ts'
