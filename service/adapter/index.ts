// The simulator of locker hardware, and the checks of any adapter over HTTP.
// Imported by the command line and the tests.
export { type CheckOptions, type CheckResult, checkAdapter } from './check/checks.ts'
export { type Behaviour, behaviours, type DoorStatus } from './doors.ts'
export { readCheckKey, simulatorVariables } from './environment.ts'
export { type Simulator, type SimulatorSettings, startSimulator } from './simulator.ts'
