import type { TakenEdge } from '#flows'
import type {
  Attribute,
  Cancellable,
  ChildOptions,
  Handlers,
  NamedOptions,
  RunInfo,
  Runtime,
  StartedActivity,
  StartedChild,
} from '#workflows/runtime'
import { toJson } from './server.ts'
import { startActivity, startChild, startTimer } from './starts.ts'
import { Tasks } from './tasks.ts'

/** The error that ends a run that continues as new. */
export class ContinuedAsNew extends Error {}

/** The runtime of one run. */
export class SimulatedRuntime extends Tasks implements Runtime {
  #ahead = 0

  now(): number {
    return this.parts.now() + this.#ahead
  }

  setAhead(milliseconds: number): void {
    this.#ahead = milliseconds
  }

  uuid(): string {
    return this.parts.uuid()
  }

  info(): RunInfo {
    return this.runInfo
  }

  isCancelRequested(): boolean {
    return this.isCancelled
  }

  protect<Result>(work: () => Promise<Result>): Promise<Result> {
    return work()
  }

  condition(test: () => boolean): Promise<void> {
    return this.conditions.wait(test)
  }

  async conditionWithin(test: () => boolean, timeout: number, summary: string): Promise<boolean> {
    let isOver = false
    const { promise: passed, resolve } = Promise.withResolvers<false>()
    const timer = this.startTimer(timeout, summary, () => {
      isOver = true
      resolve(false)
    })
    const holds = this.condition(() => isOver || test()).then(() => !isOver)
    const result = await Promise.race([passed, holds])
    if (result) timer.cancel()
    return result
  }

  sleep(length: number, summary: string): Promise<void> {
    return new Promise(resolve => void this.startTimer(length, summary, resolve))
  }

  startTimer(length: number, summary: string, fire: () => void): Cancellable {
    return startTimer(this.startParts, { length, summary }, fire)
  }

  activity(name: string, args: readonly unknown[], options: NamedOptions): Promise<unknown> {
    return this.startActivity(name, args, options).result
  }

  startActivity(name: string, args: readonly unknown[], options: NamedOptions): StartedActivity {
    return startActivity(this.startParts, { name, args, options })
  }

  startChild(workflow: string, options: ChildOptions): Promise<StartedChild> {
    return startChild(this.startParts, workflow, options)
  }

  setHandlers<Flow>(flow: Flow, handlers: Handlers<Flow>): void {
    this.runHandlers = {
      status: options => handlers.status(flow, options),
      shipmentStatus: status => handlers.shipmentStatus(flow, status),
    }
    this.updates.setHandlers(flow, handlers.updates as Handlers<unknown>['updates'])
  }

  allHandlersFinished(): boolean {
    return this.updates.areFinished
  }

  hasChange(): boolean {
    return true
  }

  setCurrentDetails(render: () => string): void {
    this.renderDetails = render
  }

  upsertSearchAttributes(attributes: readonly Attribute[]): void {
    const changed = Object.fromEntries(attributes.map(({ key, value }) => [key.name, value]))
    Object.assign(this.parts.attributes, changed)
    this.commands.add(() => this.parts.note({ kind: 'attributes', changed }))
  }

  noteCallback(): void {
    this.parts.noteCallback()
  }

  countStep(): void {}

  record(edge: TakenEdge): void {
    this.parts.record(edge)
  }

  continueAsNew(...args: readonly unknown[]): Promise<never> {
    const send = () => {
      this.next = toJson(args)
      this.parts.note({ kind: 'continuedAsNew' })
    }
    this.commands.add(send, { isLast: true })
    return Promise.reject(new ContinuedAsNew())
  }
}
