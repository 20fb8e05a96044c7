import { isDeepStrictEqual } from 'node:util'
import { TemporalFailure } from '@temporalio/common'
import type { FlowInput, FlowResult, FlowStatus, StatusOptions } from '#flows'
import { runFlow } from '#workflows/flow'
import { messagesFirst } from './messages.ts'
import { RecordedRun } from './recordedRun.ts'
import { toRunInfo } from './runInfo.ts'
import { ContinuedAsNew, SimulatedRuntime } from './runtime.ts'
import { type Job, type Server, toCode, toJson } from './server.ts'

export type FlowEnd = { readonly result: FlowResult } | { readonly failure: TemporalFailure }

export interface ExecutionParts {
  readonly workflowId: string
  readonly flow: string
  /** The search attributes that the starter has set, by name. */
  readonly attributes: Readonly<Record<string, unknown>>
  /** Events after which Temporal suggests continue-as-new. */
  readonly suggestedAt: number
  readonly server: Server
}

/** The run that the flow has now. */
interface Current {
  readonly run: RecordedRun
  readonly runtime: SimulatedRuntime
  readonly note: Server['note']
  /** The search attributes, by name. The flow changes them. */
  readonly attributes: Readonly<Record<string, unknown>>
}

/** One flow: its runs, one after the other, and the tasks of the current one. */
export class Execution {
  readonly #parts: ExecutionParts
  readonly #firstRunId: string
  #current: Current | undefined
  #end: FlowEnd | undefined
  #defect: { readonly error: unknown } | undefined

  constructor(parts: ExecutionParts) {
    this.#parts = parts
    this.#firstRunId = parts.server.uuid()
  }

  /** The end of the flow; undefined while it runs. */
  get end(): FlowEnd | undefined {
    return this.#end
  }

  /** The details in the Web UI, as Markdown. */
  get details(): string {
    return this.#require().runtime.details
  }

  status(options: StatusOptions = {}): FlowStatus {
    return toJson(this.#require().runtime.handlers.status({ outputs: true, ...options }))
  }

  /** The question that the flow asks now; null without one. */
  asks(): FlowStatus['asks'] {
    return toJson(this.#require().runtime.handlers.status({ outputs: false }).asks)
  }

  /** Starts the flow, with messages that arrive before its first task. */
  start(args: readonly unknown[], jobs: readonly Job[] = []): Promise<void> {
    return this.#startRun({ args, runId: this.#firstRunId, continuedFrom: undefined }, jobs)
  }

  /** Runs one workflow task. Jobs that arrive after the end are dropped. */
  async handle(jobs: readonly Job[]): Promise<void> {
    if (this.#end === undefined) await this.#runTask(jobs)
  }

  /**
   * Moves the flow to another worker, which replays its history.
   * @throws Error when the flow does something other than before
   */
  async replay(): Promise<void> {
    if (this.#end !== undefined) return
    const { run, attributes } = this.#require()
    const replayed = this.#open(run)
    await run.replay((jobs, index) => this.#play(replayed, jobs, index))
    if (!isDeepStrictEqual(replayed.attributes, attributes)) {
      throw new Error('The replay of the flow sets other search attributes than the flow has set.')
    }
    this.#current = replayed
  }

  async #startRun(
    { args, ...run }: Pick<RecordedRun, 'args'> & Pick<RecordedRun['ids'], 'runId' | 'continuedFrom'>,
    jobs: readonly Job[] = [],
  ): Promise<void> {
    const { server, workflowId, flow, suggestedAt } = this.#parts
    const startTime = new Date(server.now())
    const ids = { ...run, workflowId, flow, suggestedAt, startTime, firstRunId: this.#firstRunId }
    const attributes = this.#current?.attributes ?? this.#parts.attributes
    server.note({ kind: 'started' })
    this.#current = this.#open(new RecordedRun(server, { ids, args: toJson(args), attributes }))
    await this.#runTask(jobs)
  }

  #open(run: RecordedRun): Current {
    const attributes = { ...run.attributes }
    const server = run.createServer()
    const toInfo = (historyLength: number) => toRunInfo({ ...run.ids, attributes }, historyLength)
    return { run, attributes, note: server.note, runtime: new SimulatedRuntime({ ...server, attributes, toInfo }) }
  }

  async #runTask(jobs: readonly Job[]): Promise<void> {
    const current = this.#require()
    const { run, runtime } = current
    await this.#play(current, jobs, run.addTask(jobs))
    if (runtime.next === undefined) return
    run.isOver = true
    const { runId } = run.ids
    await this.#startRun({ args: runtime.next, runId: this.#parts.server.uuid(), continuedFrom: runId })
  }

  /** @param index of the task in its run */
  async #play({ run, runtime, note }: Current, jobs: readonly Job[], index: number): Promise<void> {
    runtime.beginTask(jobs.reduce((sum, { events }) => sum + events, 0))
    for (const { timeLineEvent } of jobs) if (timeLineEvent !== undefined) note(timeLineEvent)
    for (const job of messagesFirst(jobs)) {
      job.run(runtime)
      runtime.unblock()
    }
    if (index === 0) this.#begin(run, runtime)
    runtime.unblock()
    do await drainMicrotasks()
    while (runtime.unblock() > 0)
    if (this.#defect !== undefined) throw this.#defect.error
    runtime.endTask()
  }

  #begin({ args }: RecordedRun, runtime: SimulatedRuntime): void {
    // The starter, or the run before, has written both. The flow changes what it gets, and a replay needs it again.
    const [input, continuedFrom] = toJson(args) as [FlowInput, Parameters<typeof runFlow>[2]]
    runFlow(runtime, input, continuedFrom).then(
      result => this.#finish(runtime, { result: toJson(result) }),
      (error: unknown) => {
        if (error instanceof TemporalFailure) this.#finish(runtime, { failure: error })
        else if (!(error instanceof ContinuedAsNew)) this.#defect = { error }
      },
    )
  }

  #finish(runtime: SimulatedRuntime, end: FlowEnd): void {
    this.#end = end
    runtime.complete(
      'result' in end
        ? { kind: 'completed', result: end.result }
        : { kind: 'failed', code: toCode(end.failure), message: end.failure.message },
    )
  }

  /** @throws Error before the start */
  #require(): Current {
    if (this.#current === undefined) throw new Error('The flow has not started.')
    return this.#current
  }
}

/** Node.js runs this callback after all microtasks. */
function drainMicrotasks(): Promise<void> {
  return new Promise(resolve => process.nextTick(resolve))
}
