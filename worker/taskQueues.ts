// The two task queues of a worker and how it takes their tasks. The first one has the flows, their bookings and Nexus operations;
// the second one, whose name ends in -outside, has the activities that wait for outside parties.
import type { Worker, WorkerOptions } from '@temporalio/worker'
import { toOutsideQueue } from '#contract/terms'
import { defaultOutsideActivities, type WorkerTuning } from './settings.ts'

/** The polls that are open at once, on both queues. Without a setting, ten at most for each kind of task. */
export function toPollers({
  pollers,
}: WorkerTuning): Pick<WorkerOptions, `${'workflow' | 'activity'}TaskPollerBehavior`> {
  if (pollers === undefined) return {}
  const behavior: WorkerOptions['workflowTaskPollerBehavior'] =
    pollers === 'autoscaling' ? { type: 'autoscaling' } : { type: 'simple-maximum', maximum: pollers }
  return { workflowTaskPollerBehavior: behavior, activityTaskPollerBehavior: behavior }
}

/** The options of the first worker. Its slots are fixed, or follow the resources of the machine. */
export function toInsideOptions(options: WorkerOptions, tuning: WorkerTuning): WorkerOptions {
  const { maxConcurrentWorkflowTasks, maxConcurrentActivities, resourceTargets, maxActivitiesPerSecond } = tuning
  return {
    ...options,
    ...(resourceTargets !== undefined && { tuner: { tunerOptions: resourceTargets } }),
    ...(maxConcurrentWorkflowTasks !== undefined && {
      maxConcurrentWorkflowTaskExecutions: maxConcurrentWorkflowTasks,
    }),
    ...(maxConcurrentActivities !== undefined && { maxConcurrentActivityTaskExecutions: maxConcurrentActivities }),
    ...(maxActivitiesPerSecond !== undefined && { maxTaskQueueActivitiesPerSecond: maxActivitiesPerSecond }),
  }
}

/**
 * The options of a second worker in the process: it belongs to the same build and runs activities only, on the queue of those
 * that wait for outside parties. Their slots are its own, so they never wait in the place of a booking.
 */
export function toOutsideOptions(options: WorkerOptions, slots = defaultOutsideActivities): WorkerOptions {
  const { workflowBundle: _bundle, workflowsPath: _path, nexusServices: _services, ...own } = options
  // A tuner has the slots of the first worker, and its plugins have changed the options already.
  const { tuner: _tuner, plugins: _plugins, taskQueue, ...shared } = own
  return { ...shared, taskQueue: toOutsideQueue(taskQueue), maxConcurrentActivityTaskExecutions: slots }
}

/**
 * Runs the workers of both queues. Resolves when both have stopped. When one stops, the other does too.
 * @param runs the results of workers that run already
 */
export async function runTogether(
  workers: readonly Worker[],
  runs: readonly Promise<void>[] = workers.map(worker => worker.run()),
): Promise<void> {
  const ends = runs.map(run => run.finally(() => workers.forEach(stopWorker)))
  await Promise.allSettled(ends)
  await Promise.all(ends)
}

export function isRunning(worker: Worker): boolean {
  return worker.getState() === 'RUNNING'
}

export function stopWorker(worker: Worker): void {
  if (isRunning(worker)) worker.shutdown()
}
