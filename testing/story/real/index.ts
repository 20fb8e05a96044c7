// Stories on real parts: service, gateway and worker, with a Temporal that is running already.
// The command imports this; it loads Temporal's SDK.
export type { RealPartsOptions } from './parts.ts'
export { createRunningTarget, type RunningParts } from './running.ts'
export { createRealTarget, type RealTarget } from './target.ts'
