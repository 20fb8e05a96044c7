// Makes a build of the worker the current one, at once or in steps, and takes it back.
// The command imports this.
export { type Promotion, promote } from './promote.ts'
export { type RampReport, ramp } from './ramp.ts'
export { toRampReport, toReport, toRollBackReport } from './report.ts'
export { type RollBack, rollBackBuild } from './rollBack.ts'
