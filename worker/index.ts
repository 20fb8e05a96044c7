// The process that runs flows and their activities, and the only definition of the bundle.
// The command, tests and benchmarks import this door; production starts main.ts.
export { ensureSearchAttributes } from './attributes.ts'
export { bundleFlows, prebuildFlows } from './bundle.ts'
export { connect as connectWorker, ensureRuntime, installRuntime } from './connection.ts'
export { isOlder, minimumServer } from './deployment.ts'
export { readPromotion } from './environment.ts'
export { readOwnFlows, startWorkerFromEnvironment } from './fromEnvironment.ts'
export { historyToJson } from './histories.ts'
export { findHistories, readHistory } from './historyFiles.ts'
export { readNotificationSettings } from './notificationSettings.ts'
export { importActivities } from './ownFiles.ts'
export type { OwnActivity, OwnFlows } from './ownFlows.ts'
export { createFlowsPlugin, type FlowsPluginSettings } from './plugin.ts'
export {
  type RecordedFlow,
  type ReplayFault,
  type ReplayResult,
  replay,
  replayEach,
  replayEdges,
} from './replay.ts'
export type { WorkerSettings } from './settings.ts'
export type { ReplayedEdge } from './sinks.ts'
export { unreachable } from './temporalErrors.ts'
export { preparationVariables, promotionVariables, workerVariables } from './variables.ts'
export { type RunningWorker, startWorker } from './worker.ts'
