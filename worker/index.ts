// The process that runs flows and their activities, and the one definition of the bundle.
// The command, tests and benchmarks import this; a production worker starts main.ts.
export { ensureAttributes } from './attributes.ts'
export { bundleFlows, prebuildFlows } from './bundle.ts'
export { unreachable } from './connection.ts'
export type { Build } from './deployment.ts'
export { preparationVariables, promotionVariables, readPlace, readPromotion, workerVariables } from './environment.ts'
export { type RecordedFlow, type Replayed, type ReplayFault, replay, replayEach } from './replay.ts'
export { installRuntime } from './runtime.ts'
export { type RunningWorker, startWorker, type WorkerSettings } from './worker.ts'
