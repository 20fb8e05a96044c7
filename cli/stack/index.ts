// All parts of a developer's machine. `dev`, `demo` and the tests of integrators start it.
export type { Stack, StackOptions, TemporalPlace } from './stack.ts'
export { startStack } from './start.ts'
