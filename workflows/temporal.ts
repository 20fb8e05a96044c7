import {
  allHandlersFinished,
  CancellationScope,
  ChildWorkflowCancellationType,
  condition,
  continueAsNew,
  isCancellation,
  metricMeter,
  ParentClosePolicy,
  patched,
  proxyActivities,
  proxySinks,
  setCurrentDetails,
  sleep,
  startChild,
  upsertSearchAttributes,
  uuid4,
  workflowInfo,
} from '@temporalio/workflow'
import { toOutsideQueue } from '#contract/terms'
import type { CallbackSinks, EdgeSinks, TakenEdge } from '#flows'
import { setMessageHandlers } from './messageHandlers.ts'
import type {
  Attribute,
  Cancellable,
  ChildOptions,
  Handlers,
  NamedOptions,
  Runtime,
  StartedActivity,
  StartedChild,
  StepOutcome,
} from './runtime.ts'

// The runtime of a workflow. Beside this file, only messageHandlers.ts, tracing.ts and versioning.ts call the
// SDK.

const { callbacks, edges } = proxySinks<CallbackSinks & EdgeSinks>()

/** Set by worker/bundle.ts in the bundle of a replay that records the ways of its runs. */
const { lockerflowRecordsEdges: recordsEdges = false } = globalThis as { lockerflowRecordsEdges?: boolean }

/**
 * Set by worker/bundle.ts if the worker has no metrics: a count is a message to its main thread, with a copy of the
 * workflow's info.
 */
const { lockerflowIsMeasured: isMeasured = true } = globalThis as { lockerflowIsMeasured?: boolean }

/** Exporters add `_total`. */
const stepCounter = 'lockerflow_flow_steps'

type Activities = Readonly<Record<string, (...args: readonly unknown[]) => Promise<unknown>>>
type Upsert = Extract<Parameters<typeof upsertSearchAttributes>[0], readonly unknown[]>

/** The runtime of the workflow that is being started. Create it before the first await. */
export function createRuntime(): Runtime {
  return new TemporalRuntime()
}

class TemporalRuntime implements Runtime {
  /** The scope of the whole run, which the Web UI's cancel button cancels. */
  readonly #scope = CancellationScope.current()

  #ahead = 0

  now(): number {
    return Date.now() + this.#ahead
  }

  setAhead(milliseconds: number): void {
    this.#ahead = milliseconds
  }

  uuid(): string {
    return uuid4()
  }

  info() {
    return workflowInfo()
  }

  isCancelRequested(): boolean {
    return this.#scope.consideredCancelled
  }

  protect<Result>(work: () => Promise<Result>): Promise<Result> {
    return CancellationScope.nonCancellable(work)
  }

  condition(test: () => boolean): Promise<void> {
    return condition(test)
  }

  conditionWithin(test: () => boolean, timeout: number, summary: string): Promise<boolean> {
    return condition(test, timeout, { summary })
  }

  sleep(length: number, summary: string): Promise<void> {
    return sleep(length, { summary })
  }

  startTimer(length: number, summary: string, fire: () => void): Cancellable {
    const scope = new CancellationScope()
    void scope.run(() => sleep(length, { summary })).then(fire, ignoreCancellation)
    return scope
  }

  activity(name: string, args: readonly unknown[], options: NamedOptions): Promise<unknown> {
    return activityByName(name, options)(...args)
  }

  startActivity(name: string, args: readonly unknown[], options: NamedOptions): StartedActivity {
    const scope = new CancellationScope()
    const result = scope.run(() => activityByName(name, options)(...args))
    return { result, cancel: () => scope.cancel() }
  }

  startChild(workflowType: string, { workflowId, args, priorityKey, summary }: ChildOptions): Promise<StartedChild> {
    return startChild(workflowType, {
      workflowId,
      args: [...args],
      parentClosePolicy: ParentClosePolicy.ABANDON,
      cancellationType: ChildWorkflowCancellationType.ABANDON,
      priority: { priorityKey },
      staticSummary: summary,
    })
  }

  setHandlers<Flow>(flow: Flow, handlers: Handlers<Flow>): void {
    setMessageHandlers(flow, handlers)
  }

  allHandlersFinished(): boolean {
    return allHandlersFinished()
  }

  hasChange(id: string): boolean {
    return patched(id)
  }

  // The SDK only converts the details to JSON, for the query that asks for them.
  setCurrentDetails(render: () => string): void {
    setCurrentDetails({ toJSON: render } as unknown as string)
  }

  upsertSearchAttributes(attributes: readonly Attribute[]): void {
    upsertSearchAttributes(attributes as Upsert)
  }

  noteCallback(): void {
    callbacks.arrived()
  }

  // The labels have few values: flows and steps are those of declarations.
  countStep(step: string, outcome: StepOutcome): void {
    if (!isMeasured) return
    const { workflowType: flow } = workflowInfo()
    metricMeter.createCounter(stepCounter).add(1, { flow, step, outcome })
  }

  record(edge: TakenEdge): void {
    if (recordsEdges) edges.record(edge, this.now())
  }

  continueAsNew(...args: readonly unknown[]): Promise<never> {
    return continueAsNew<(...args: unknown[]) => Promise<unknown>>(...args)
  }
}

function activityByName(name: string, { outside, ...options }: NamedOptions) {
  const { taskQueue: own } = workflowInfo()
  const { taskQueue = own } = options
  const isSecond = outside && taskQueue === own
  const activity = proxyActivities<Activities>({ ...options, taskQueue: isSecond ? toOutsideQueue(own) : taskQueue })[
    name
  ]
  if (activity === undefined) throw new Error(`There is no proxy for the activity ${name}.`)
  return activity
}

function ignoreCancellation(error: unknown): void {
  if (!isCancellation(error)) throw error
}
