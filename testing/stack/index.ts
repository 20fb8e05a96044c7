// All parts of a developer's machine. `dev`, `demo` and the tests of integrators start it.
export { type Clock, createClock, type MovableClock } from './clock.ts'
export { ip } from './ports.ts'
export type { Stack, StackFlowApi, StackOptions, TemporalPlace } from './stack.ts'
export { startStack } from './start.ts'
