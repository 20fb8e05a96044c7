import { asyncLocalStorage, Context } from '@temporalio/activity'
import type { VirtualClock } from './clock.ts'
import { type ActivityWork, RunningActivity } from './runningActivity.ts'

/** Runs attempts of activities, one at a time: their order, and with it the simulation, repeats. */
export class ActivityRunner {
  readonly #clock: VirtualClock
  readonly #queue: (() => Promise<void>)[] = []
  readonly #running = new Set<RunningActivity>()

  constructor(clock: VirtualClock) {
    this.#clock = clock
  }

  /** Starts an activity. */
  start(work: ActivityWork): RunningActivity {
    const onEnd: ActivityWork['onEnd'] = (end, attempts) => {
      this.#running.delete(running)
      work.onEnd(end, attempts)
    }
    const running = new RunningActivity(this.#clock, { ...work, onEnd }, run => this.#queue.push(run))
    this.#running.add(running)
    running.begin()
    return running
  }

  /** All attempts under way are lost with their worker. */
  loseWorker(): void {
    for (const running of this.#running) running.loseWorker()
  }

  /** Runs the attempts that wait. Returns false without one. */
  async runNext(): Promise<boolean> {
    const run = this.#queue.shift()
    if (run === undefined) return false
    await run()
    return true
  }
}

/** Runs a function with the context that the SDK gives to an activity. */
export function runInContext<Result>(
  { name, id, workflowId }: { readonly name: string; readonly id: string; readonly workflowId: string },
  attempt: number,
  run: () => Promise<Result>,
): Promise<Result> {
  const info = { activityType: name, activityId: id, attempt, workflowExecution: { workflowId, runId: '' } }
  const never = new Promise<never>(() => undefined)
  const { signal } = new AbortController()
  const rest = [never, signal, () => undefined, undefined, undefined, undefined, undefined]
  const context = Reflect.construct(Context, [info, ...rest]) as Context
  return asyncLocalStorage.run(context, run)
}
