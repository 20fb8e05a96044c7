// Test cases of flows in files: their form, loading and checks. Commands, the simulator and test runners import this.
export { type CaseFault, type CaseFaultCode, caseFaultCodes, describeCaseFault } from './fault.ts'
export { type Before, casesSchema, type Ends, type Runs, type Story, type TestCase } from './format/case.ts'
export { checkCase, checkStory } from './format/check.ts'
export type { Placeholder } from './format/values.ts'
export type { Expected, Fail, StoryWord, Verb } from './format/words.ts'
export { type LoadCasesOptions, type LoadedCase, type LoadedCases, loadCases, loadStory } from './load.ts'
export { type RequestValues, toRequest } from './request.ts'
