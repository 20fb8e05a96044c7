// All parts of lockerflow with the wires between them, on a machine of a developer, of an integrator or of the tests.
// Code that needs two parts or more starts them here.
export { type Clock, createClock, type MovableClock } from './clock.ts'
export { ip } from './ports.ts'
export { createSnapshots, type Snapshot } from './snapshots.ts'
export type { Stack, StackFlowApi, StackOptions } from './stack.ts'
export { startStack } from './start.ts'
export { createStarter } from './starter.ts'
export { type Handling, type Passed, type Passing, pass, type Wire } from './wire.ts'
export type { Wires } from './wires.ts'
