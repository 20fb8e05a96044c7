// Test cases on the simulator, and as tests of vitest, jest and node:test. Imported by the command and by test files.
export { type DescribeCasesOptions, describeCases, type TestRunner } from './describe.ts'
export { createSimulatedTarget } from './target.ts'
