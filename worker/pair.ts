import { Worker, type WorkerOptions } from '@temporalio/worker'
import { toOutsideQueue } from '#contract/terms'
import { defaultOutsideActivities } from './settings.ts'

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

/** The workers of both task queues. */
export interface WorkerPair {
  isRunning(): boolean
  /** Resolves when both workers have stopped. When one stops, the other does too. */
  run(): Promise<void>
  stop(): void
}

export async function createPair(options: WorkerOptions, slots?: number): Promise<WorkerPair> {
  const workers = [await Worker.create(options), await Worker.create(toOutsideOptions(options, slots))]
  return {
    isRunning: () => workers.every(isRunning),
    run: () =>
      runTogether(
        workers,
        workers.map(worker => worker.run()),
      ),
    stop: () => workers.forEach(stop),
  }
}

/** @param runs the results of the workers */
export async function runTogether(workers: readonly Worker[], runs: readonly Promise<void>[]): Promise<void> {
  const ends = runs.map(run => run.finally(() => workers.forEach(stop)))
  await Promise.allSettled(ends)
  await Promise.all(ends)
}

function isRunning(worker: Worker): boolean {
  return worker.getState() === 'RUNNING'
}

function stop(worker: Worker): void {
  if (isRunning(worker)) worker.shutdown()
}
