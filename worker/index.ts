// The process that runs flows and their activities, and the only definition of the bundle.
// The command, tests and benchmarks import this file; production starts main.ts.
export { ensureSearchAttributes } from './attributes.ts'
export { bundleFlows, prebuildFlows } from './bundle.ts'
export { connect as connectWorker, ensureRuntime, installRuntime } from './connection.ts'
export { isOlder, minimumServer } from './deployment.ts'
export { historyToJson } from './histories.ts'
export { findHistories, readHistory } from './historyFiles.ts'
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
export {
  loadOwnFlows,
  preparationVariables,
  promotionVariables,
  readNotificationSettings,
  readPromotion,
  type WorkerSettings,
  workerVariables,
} from './settings.ts'
export type { ReplayedEdge } from './sinks.ts'
export { unreachable } from './temporalErrors.ts'
export { type RunningWorker, startWorker, startWorkerFromEnvironment } from './worker.ts'
