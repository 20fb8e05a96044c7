// The entry `worker`: flows and their activities, with the workflow bundle that was built with the package.
export { type OwnActivity, type OwnFlows, type RunningWorker, startWorker, type WorkerSettings } from '#worker'
