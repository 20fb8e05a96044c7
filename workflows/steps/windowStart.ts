import type { ResolvedMoment } from '#activities/interface'
import type { CalendarWindow, PlannedStep } from '#flows'
import { resolveMoment } from '../activities.ts'
import { isCancelled, type PlannedFlow, recordRejection, setResolvingOf } from '../context.ts'
import { businessErrorIn, isActivityError, toErrorCode, toFailureText } from '../failures.ts'
import { setEnding } from '../position.ts'
import { setDeadline, setResolving, type Token } from '../tokens.ts'
import { toDeadline, toStart, windowOf } from './windows.ts'

/**
 * Starts the window of a step. A calendar is read by an activity, so that its answer is in the history: `Intl` in a
 * workflow would change with the data of Node, and break replays.
 */
export function startWindow(flow: PlannedFlow, token: Token, step: PlannedStep): void {
  stopResolving(flow, token)
  const window = windowOf(step)
  if (window !== null && 'calendar' in window) {
    resolve(flow, token, step, window)
    return
  }
  setDeadline(token, toDeadline(flow.progress, window, flow.runtime.now()))
  notePassed(flow, token, step)
}

/** The step is left, or a decision ends its window. A late answer is ignored. */
export function stopResolving(flow: PlannedFlow, token: Token): void {
  const resolving = flow.resolving.find(each => each.token === token)
  if (resolving === undefined) return
  resolving.activity.cancel()
  setResolvingOf(flow, token, undefined)
  setResolving(token, false)
}

/** Starts the activity without awaiting it, so that the flow still handles messages, polls and the end of the step. */
function resolve(flow: PlannedFlow, token: Token, step: PlannedStep, window: CalendarWindow): void {
  const { progress, runtime } = flow
  setDeadline(token, null)
  const from = toStart(progress, window, runtime.now())
  if (from === null) return
  const pickUpPointUid = findPickUpPoint(flow, step)
  const input = { step: step.name, rule: window.calendar, from: new Date(from).toISOString(), pickUpPointUid }
  const started = resolveMoment(step.name).start(runtime, input)
  setResolvingOf(flow, token, started)
  setResolving(token, true)
  const isCurrent = () => flow.resolving.some(({ activity }) => activity === started)
  void started.result.then(
    result => {
      if (isCurrent()) settle(flow, token, step, from, result)
    },
    error => {
      if (!isActivityError(error)) throw error
      if (isCurrent()) fail(flow, token, step, error)
    },
  )
}

/** @param from the moment from which the calendar counted, in milliseconds since 1970 */
function settle(flow: PlannedFlow, token: Token, step: PlannedStep, from: number, { moment }: ResolvedMoment): void {
  stopResolving(flow, token)
  // Calendars cannot be scaled as durations are, but the distance to their answer can.
  const { windowFactor = 1 } = flow.progress.plan
  setDeadline(token, from + Math.ceil((Date.parse(moment) - from) * windowFactor))
  notePassed(flow, token, step)
  flow.needsEvaluation = true
}

/** A retry cannot change this failure, so the flow ends and undoes its steps. */
function fail(flow: PlannedFlow, token: Token, step: PlannedStep, error: unknown): void {
  // A caller may already have cancelled or released the flow while a poll delays its end. The first cause wins.
  if (isCancelled(flow) || flow.released !== undefined) return
  stopResolving(flow, token)
  flow.runtime.countStep(step.name, 'failed')
  const failure = businessErrorIn(error)
  const text = failure === undefined ? { type: toErrorCode(error), message: '' } : toFailureText(failure)
  setEnding(flow.progress, { outcome: 'failed', failure: text })
  flow.needsEvaluation = true
}

/** A moment in the past counts as passed. */
function notePassed(flow: PlannedFlow, { deadline }: Token, step: PlannedStep): void {
  const isWork = 'window' in step && typeof step.window === 'number'
  if (isWork || deadline === null || deadline > flow.runtime.now()) return
  recordRejection(flow, `${step.name}: the moment at which it ends has passed already`)
}

/** The pick up point of the awaited shipment, else of the last booked one, else of the input. */
function findPickUpPoint({ progress }: PlannedFlow, step: PlannedStep): string | null {
  const { plan, lockers } = progress
  const { shipments } = lockers
  const awaited = step.kind === 'wait' ? shipments.filter(({ role }) => role in step.reached) : []
  return (awaited.at(-1) ?? shipments.at(-1))?.pupUid ?? plan.pickUpPoint
}
