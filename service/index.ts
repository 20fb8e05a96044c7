// The service of the specification, to be started in one's own process: its settings, its start and its stop.
// The demo, the command and the tests import this; nothing of it leads into the orchestrator.
export { readEnvironment, serviceVariables } from './environment.ts'
export type { Door, Hardware } from './hardware/index.ts'
export { createLog } from './log.ts'
export { defaultSettings, type Settings } from './settings.ts'
export { type Service, startService } from './start.ts'
export { type MovedTable, moveStore } from './store/move/index.ts'
export { demonstration, readTopology, type Topology } from './topology/index.ts'
