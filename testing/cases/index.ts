// Test cases of flows in files: their form, loading, checks, runs and coverage.
// Commands and test runners import this.

export { casesSchema, type TestCase } from './format/case.ts'
export { checkCase, checkStory } from './format/check.ts'
export { type CaseFault, type CaseFaultCode, caseFaultCodes, describeCaseFault } from './format/fault.ts'
export { type LoadCasesOptions, type LoadedCase, type LoadedCases, loadCases, loadStory } from './read/load.ts'
export { type Coverage, coverageOf, findUnknown, toEdgeKey } from './report/coverage.ts'
export { toJUnit } from './report/junit.ts'
export { type CaseReport, hasFailed, isCovered, toJsonReport } from './report/report.ts'
export { type RunCasesOptions, runCases } from './report/runCases.ts'
export { describeEdge, describeProblem, describeUnknown, formatReport, formatResult } from './report/text.ts'
export { type CaseResult, type Problem, runCase } from './run/run.ts'
