import { type ActivityFailure, ApplicationFailure, type TemporalFailure } from '@temporalio/common'
import type { FlowStatus, ShipmentStatus, StatusOptions, TakenEdge } from '#flows'
import type { Cancellable, ChildOptions, Handlers, NamedOptions } from '#workflows/runtime'
import type { TimeLineEvent } from './timeLine.ts'

/** Something that has arrived for a flow: a message, or the end of something that it has started. */
export type Arrival =
  | { readonly kind: 'signal'; readonly argument: ShipmentStatus }
  | { readonly kind: 'update'; readonly name: UpdateName }
  | { readonly kind: 'activity'; readonly name: string; readonly result: unknown }
  | { readonly kind: 'timer'; readonly summary: string }
  | { readonly kind: 'childStarted' | 'childCompleted' | 'cancelRequested' }

export interface Job {
  readonly arrival: Arrival
  /** The events of the history that stand for it. */
  readonly events: number
  /** Absent for updates: they are written after the task, if they are accepted. */
  readonly timeLineEvent?: TimeLineEvent
  /** True for an update that was rejected, which is in no history. */
  readonly isRejected?: () => boolean
  /** Called with the run that the flow has then: a lost worker's run is replaced by its replay. */
  readonly run: (receiver: Receiver) => void
}

/** The query and the signal of a flow. */
export interface MessageHandlers {
  status(options?: StatusOptions | null): FlowStatus
  shipmentStatus(status: ShipmentStatus): void
}

/** The run of a flow, for everything that arrives. */
export interface Receiver {
  readonly handlers: MessageHandlers
  requestCancel(): void
  update(name: UpdateName, argument: unknown, onEnd: (end: UpdateEnd) => void): void
  /** Ends the wait for something that the run has started. */
  resume(number: number, value?: unknown): void
}

export type UpdateName = keyof Handlers<unknown>['updates']

/** The end of an activity, as the flow sees it. */
export type ActivityEnd = { readonly result: unknown } | { readonly failure: ActivityFailure }

/** The end of an update. */
export type UpdateEnd =
  | { readonly result: unknown }
  | { readonly failure: TemporalFailure; readonly isRejected: boolean }

/** Temporal's server, for the runs of one flow. */
export interface Server {
  now(): number
  uuid(): string
  note(timeLineEvent: TimeLineEvent): void
  record(edge: TakenEdge): void
  noteCallback(): void
  /** Brings a job to the flow, in its next task or in a later one. */
  arrive(job: Job): void
  startTimer(length: number, fire: () => void): Cancellable
  startActivity(
    activity: { readonly name: string; readonly args: readonly unknown[]; readonly options: NamedOptions },
    onEnd: (end: ActivityEnd, attempts: number) => void,
  ): Cancellable
  startChild(workflow: string, options: ChildOptions): void
}

/** The type of an application's failure, or the name of the class of another one. */
export function toCode(failure: Error): string {
  return failure instanceof ApplicationFailure && failure.type ? failure.type : failure.name
}

/** Copies a value as Temporal's JSON converter would. A detour through text would take three times as long. */
export function toJson<Value>(value: Value): Value {
  return copy(value) as Value
}

function copy(value: unknown): unknown {
  if (typeof value === 'string' || typeof value === 'boolean') return value
  // JSON has no negative zero.
  if (typeof value === 'number') return Number.isFinite(value) ? value + 0 : null
  if (typeof value !== 'object' || value === null) return value === null ? null : undefined
  if (Array.isArray(value)) return value.map(member => copy(member) ?? null)
  if ('toJSON' in value) return JSON.parse(JSON.stringify(value))
  const copied: Record<string, unknown> = {}
  for (const key of Object.keys(value)) {
    const member = copy(Reflect.get(value, key))
    if (member !== undefined) set(copied, key, member)
  }
  return copied
}

/** An assignment to `__proto__` would set the prototype, where JSON has a field of that name. */
function set(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') object[key] = value
  else Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true })
}
