// The entry `cases`: test cases in files as tests, and flows on the simulator.
export { type DescribeCasesOptions, describeCases, type TestRunner } from '#testing/cases/describe'
export { type SimulatedRun, type SimulatedStory, type SimulateOptions, simulate } from '#testing/simulator'
