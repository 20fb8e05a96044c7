// The entry `worker`: flows and their activities, with the workflow bundle that was built with the package.
export {
  createFlowsPlugin,
  type FlowsPluginSettings,
  type OwnActivity,
  type OwnFlows,
  type RunningWorker,
  startWorkerFromEnvironment as startWorker,
  type WorkerSettings,
} from '#worker'
