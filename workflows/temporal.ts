import {
  type ActivityOptions,
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
  setHandler,
  sleep,
  startChild,
  upsertSearchAttributes,
  uuid4,
  workflowInfo,
} from '@temporalio/workflow'
import type { CallbackSinks, Decision, EdgeSinks, StatusOptions, TakenEdge, WaitForBookingUpdate } from '#flows'
import * as messages from '#flows/messages'
import type {
  Attribute,
  Cancellable,
  ChildOptions,
  Handlers,
  Runtime,
  StartedActivity,
  StartedChild,
  StepOutcome,
} from './runtime.ts'

// The only file of the interpreter that imports the SDK at run time.

const { callbacks, edges } = proxySinks<CallbackSinks & EdgeSinks>()

/** Set by worker/bundle.ts in the bundle of a replay that records the ways of its runs. */
const { lockerflowRecordsEdges: recordsEdges = false } = globalThis as { lockerflowRecordsEdges?: boolean }

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
    return startInScope(new CancellationScope({ cancellable: false }), work)
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
    void startInScope(scope, () => sleep(length, { summary })).then(fire, ignoreCancellation)
    return scope
  }

  activity(name: string, args: readonly unknown[], options: ActivityOptions): Promise<unknown> {
    return activityByName(name, options)(...args)
  }

  startActivity(name: string, args: readonly unknown[], options: ActivityOptions): StartedActivity {
    const scope = new CancellationScope()
    const result = startInScope(scope, () => activityByName(name, options)(...args))
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

  setHandlers({ status, shipmentStatus, updates }: Handlers): void {
    const { waitForBooking, cancel, decide, answer, assignReceiver, release, moveClock } = updates
    setHandler(messages.status, (options?: StatusOptions | null) => status(options), {
      description:
        'The current state of the flow; with { outputs: true }, also the outputs of its steps, with { picture: true } its way, and with { questions: true } who answers.',
    })
    setHandler(messages.shipmentStatus, shipmentStatus, { description: 'A verified callback of the service.' })
    setHandler(messages.waitForBooking, (update?: WaitForBookingUpdate) => waitForBooking.handle(update), {
      validator: (update?: WaitForBookingUpdate) => waitForBooking.validate(update),
      description: 'Waits for the booking. Returns its shipments, or fails with the failure of the flow.',
    })
    setHandler(messages.cancel, cancel.handle, {
      validator: cancel.validate,
      description: 'Ends the flow and cleans up.',
    })
    setHandler(messages.decide, (decision: Decision) => decide.handle(decision), {
      validator: decide.validate,
      description: 'Decides about a window that has passed: extend, cancel or keepWaiting.',
    })
    setHandler(messages.answer, answer.handle, {
      validator: answer.validate,
      description: 'Answers an ask step. The same answer again returns the result of the first one.',
    })
    setHandler(messages.assignReceiver, assignReceiver.handle, {
      validator: assignReceiver.validate,
      description: 'Sets the user who collects the shipment.',
    })
    setHandler(messages.release, () => release.handle(undefined), {
      validator: () => release.validate(undefined),
      description: 'Ends a kept booking and frees its locker.',
    })
    setHandler(messages.moveClock, moveClock.handle, {
      validator: moveClock.validate,
      description: 'Moves the clock of a flow in staging.',
    })
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

function activityByName(name: string, options: ActivityOptions) {
  const activity = proxyActivities<Activities>(options)[name]
  if (activity === undefined) throw new Error(`There is no proxy for the activity ${name}.`)
  return activity
}

/**
 * Starts work in a scope and returns its promise. The waits of the work belong to the scope, but nothing waits for the
 * scope itself: an awaited scope keeps promises of its own, which cost memory in every waiting flow.
 */
function startInScope<Result>(scope: CancellationScope, work: () => Promise<Result>): Promise<Result> {
  const started: Promise<Result>[] = []
  // Not an async function: each promise of a workflow costs a stack.
  void scope.run((() => void started.push(work())) as unknown as () => Promise<void>)
  const [promise] = started
  if (promise === undefined) throw new Error('The scope did not start its work synchronously.')
  return promise
}

function ignoreCancellation(error: unknown): void {
  if (!isCancellation(error)) throw error
}
