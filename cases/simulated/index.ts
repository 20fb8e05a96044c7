// Test cases on the simulator. Imported by the command and by test runners.
export { createSimulatedTarget } from './target.ts'
