// Tenants, API clients, pick up points and lockers: the file that declares them, and applying it to the store.
// Only the service's own folders import this.
export { applyTopology } from './apply.ts'
export type { TopologyChange } from './changes.ts'
export { demoTopology } from './demo.ts'
export { listDoors } from './lockers.ts'
export { readTopology } from './read.ts'
export {
  createTopologyRegistry,
  openTopologyRegistry,
  type TopologyOptions,
  type TopologyRegistry,
} from './registry.ts'
export { removeRetired } from './removeRetired.ts'
export type { Topology } from './shape.ts'
