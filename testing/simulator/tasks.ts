import type { RunInfo } from '#workflows/runtime'
import { Commands } from './commands.ts'
import type { MessageHandlers, Receiver, Server, UpdateEnd, UpdateName } from './server.ts'
import { type StartParts, Waits } from './starts.ts'
import type { TimeLineEvent } from './timeLine.ts'
import { Updates } from './updates.ts'

export interface RuntimeParts extends Server, Pick<StartParts, 'begin'> {
  /** Changed by the flow, and passed on to its next run. */
  readonly attributes: Record<string, unknown>
  toInfo(historyLength: number): RunInfo
}

/** The workflow tasks of one run, as the execution runs them. */
export class Tasks implements Receiver {
  protected readonly parts: RuntimeParts
  protected readonly commands = new Commands()
  protected readonly conditions = new Conditions()
  protected readonly updates: Updates
  protected readonly waits = new Waits()
  protected readonly startParts: StartParts
  protected runInfo: RunInfo
  protected isCancelled = false
  protected renderDetails = () => ''
  protected runHandlers: MessageHandlers | undefined
  /** Events up to the current task: the run has started. */
  #events = 1
  /** The arguments of the next run. */
  next: readonly unknown[] | undefined

  constructor(parts: RuntimeParts) {
    this.parts = parts
    this.updates = new Updates(this.commands, parts.note)
    this.runInfo = parts.toInfo(this.#events)
    this.startParts = { ...parts, commands: this.commands, waits: this.waits }
  }

  get handlers(): MessageHandlers {
    if (this.runHandlers === undefined) throw new Error('The flow has not started.')
    return this.runHandlers
  }

  get details(): string {
    return this.renderDetails()
  }

  beginTask(events: number): void {
    // The task is scheduled, and started.
    this.#events += events + 2
    this.runInfo = this.parts.toInfo(this.#events)
  }

  /** Sends the commands of the task. Nothing follows the end of the run. */
  endTask(): void {
    this.#events++
    this.commands.sendAll(() => this.#events++)
  }

  /** Resolves the conditions that are true. Returns their number. */
  unblock(): number {
    return this.conditions.unblock()
  }

  resume(number: number, value?: unknown): void {
    this.waits.resume(number, value)
  }

  requestCancel(): void {
    this.isCancelled = true
  }

  complete(timeLineEvent: TimeLineEvent): void {
    this.commands.add(() => this.parts.note(timeLineEvent), { isLast: true })
  }

  update(name: UpdateName, argument: unknown, onEnd: (end: UpdateEnd) => void): void {
    this.updates.run(name, argument, onEnd)
  }
}

/** The conditions that a flow waits for. */
class Conditions {
  #waiting: { readonly test: () => boolean; readonly resolve: () => void }[] = []

  // As many microtasks as in the SDK: updates that end in the same task are written before what the flow does next.
  async wait(test: () => boolean): Promise<void> {
    await new Promise<void>(resolve => {
      if (test()) resolve()
      else this.#waiting.push({ test, resolve })
    })
  }

  /** Resolves the conditions that are true, in the order in which they were made, until none is. Returns their number. */
  unblock(): number {
    let count = 0
    for (let before = -1; before !== count; ) {
      before = count
      this.#waiting = this.#waiting.filter(({ test, resolve }) => {
        if (!test()) return true
        resolve()
        count++
        return false
      })
    }
    return count
  }
}
