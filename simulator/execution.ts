import { TemporalFailure } from '@temporalio/common'
import type { FlowInput, FlowResult, FlowStatus, ShipmentStatus } from '#flows'
import { runFlow } from '#workflows/flow'
import { toRunInfo } from './runInfo.ts'
import { ContinuedAsNew, SimulatedRuntime } from './runtime.ts'
import { type Job, type Server, toCode, toJson, type UpdateEnd, type UpdateName } from './server.ts'

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

/** One flow: its runs, one after the other, and the tasks of the current one. */
export class Execution {
  readonly #parts: ExecutionParts
  readonly #firstRunId: string
  readonly #attributes: Record<string, unknown>
  #runtime: SimulatedRuntime
  #end: FlowEnd | undefined
  #defect: { readonly error: unknown } | undefined

  constructor(parts: ExecutionParts) {
    this.#parts = parts
    this.#attributes = { ...parts.attributes }
    this.#firstRunId = parts.server.uuid()
    this.#runtime = this.#createRuntime(this.#firstRunId, undefined)
  }

  /** The end of the flow; undefined while it runs. */
  get end(): FlowEnd | undefined {
    return this.#end
  }

  /** The details in the Web UI, as Markdown. */
  get details(): string {
    return this.#runtime.details
  }

  status(): FlowStatus {
    return toJson(this.#runtime.handlers.status({ outputs: true }))
  }

  /** The question that the flow asks now; null without one. */
  asks(): FlowStatus['asks'] {
    return toJson(this.#runtime.handlers.status({ outputs: false }).asks)
  }

  /** Starts the flow, with messages that arrive before its first task. */
  start(args: readonly unknown[], jobs: readonly Job[] = []): Promise<void> {
    this.#parts.server.note({ kind: 'started' })
    return this.#runTask(jobs, () => this.#run(toJson(args)))
  }

  /** Runs one workflow task. Jobs that arrive after the end are dropped. */
  async handle(jobs: readonly Job[]): Promise<void> {
    if (this.#end === undefined) await this.#runTask(jobs)
  }

  signal(argument: ShipmentStatus): Job {
    return {
      arrival: { kind: 'signal', argument },
      events: 1,
      happening: { kind: 'signal', signal: 'shipmentStatus', argument },
      run: () => this.#runtime.handlers.shipmentStatus(toJson(argument)),
    }
  }

  requestCancel(): Job {
    return {
      arrival: { kind: 'cancelRequested' },
      events: 1,
      happening: { kind: 'cancelRequested' },
      run: () => this.#runtime.requestCancel(),
    }
  }

  update(name: UpdateName, argument: unknown, onEnd: (end: UpdateEnd) => void): Job {
    const run = () => this.#runtime.update(name, toJson(argument), onEnd)
    return { arrival: { kind: 'update', name }, events: 0, run }
  }

  async #runTask(jobs: readonly Job[], begin?: () => void): Promise<void> {
    const runtime = this.#runtime
    runtime.beginTask(jobs.reduce((sum, { events }) => sum + events, 0))
    for (const { happening } of jobs) if (happening !== undefined) this.#parts.server.note(happening)
    for (const { run } of [...jobs.filter(isMessage), ...jobs.filter(job => !isMessage(job))]) {
      run()
      runtime.unblock()
    }
    begin?.()
    runtime.unblock()
    do await drainMicrotasks()
    while (runtime.unblock() > 0)
    if (this.#defect !== undefined) throw this.#defect.error
    runtime.endTask()
    if (runtime.next === undefined) return
    this.#runtime = this.#createRuntime(this.#parts.server.uuid(), runtime.info().runId)
    await this.start(runtime.next)
  }

  #run(args: readonly unknown[]): void {
    // The starter, or the run before, has written both.
    const [input, continuedFrom] = args as [FlowInput, Parameters<typeof runFlow>[2]]
    runFlow(this.#runtime, input, continuedFrom).then(
      result => this.#finish({ result: toJson(result) }),
      (error: unknown) => {
        if (error instanceof TemporalFailure) this.#finish({ failure: error })
        else if (!(error instanceof ContinuedAsNew)) this.#defect = { error }
      },
    )
  }

  #finish(end: FlowEnd): void {
    this.#end = end
    this.#runtime.complete(
      'result' in end
        ? { kind: 'completed', result: end.result }
        : { kind: 'failed', code: toCode(end.failure), message: end.failure.message },
    )
  }

  #createRuntime(runId: string, continuedFrom: string | undefined): SimulatedRuntime {
    const { server, ...parts } = this.#parts
    const attributes = this.#attributes
    const startTime = new Date(server.now())
    const run = { ...parts, attributes, startTime, runId, continuedFrom, firstRunId: this.#firstRunId }
    return new SimulatedRuntime({ ...server, attributes, toInfo: historyLength => toRunInfo(run, historyLength) })
  }
}

/** Messages are handled before everything else in their task. */
function isMessage({ arrival: { kind } }: Job): boolean {
  return kind === 'signal' || kind === 'update'
}

/** Node.js runs this callback after all microtasks. */
function drainMicrotasks(): Promise<void> {
  return new Promise(resolve => process.nextTick(resolve))
}
