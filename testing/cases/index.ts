// Test cases of flows in files: their form, loading, checks, runs and coverage.
// Commands, the simulator and test runners import this.

export { type Before, casesSchema, type Ends, type Runs, type Story, type TestCase } from './format/case.ts'
export { checkCase, checkStory } from './format/check.ts'
export { type CaseFault, type CaseFaultCode, caseFaultCodes, describeCaseFault } from './format/fault.ts'
export type { Placeholder } from './format/values.ts'
export type { Expected, Fail, StoryWord, Verb } from './format/words.ts'
export { type LoadCasesOptions, type LoadedCase, type LoadedCases, loadCases, loadStory } from './read/load.ts'
export { type Coverage, coverageOf, findUnknown, toEdgeKey } from './report/coverage.ts'
export { toJUnit } from './report/junit.ts'
export { type CaseReport, hasFailed, isCovered, toJsonReport } from './report/report.ts'
export { type RunCasesOptions, runCases } from './report/runCases.ts'
export { describeEdge, describeProblem, describeUnknown, formatReport, formatResult } from './report/text.ts'
export { createValues, fillIn, fillInRuns, type RequestValues, toInstant, toMoment } from './run/request/index.ts'
export { type CaseResult, type Problem, runCase } from './run/run.ts'
export type { CaseRun, CaseStart, CaseState, CaseTarget, EventWord } from './run/target.ts'
