import type { CalendarWindow, PlannedStep, PlannedWindow } from '#flows'
import { resolveMoment } from '../activities.ts'
import { dropResolving, isCancelled, type PlannedFlow, recordRejection } from '../context.ts'
import { businessErrorIn, isActivityError, toErrorCode, toFailureText } from '../failures.ts'
import { findShipment } from '../lockers/index.ts'
import type { Resolving } from '../pending.ts'
import { toEffectKey } from '../scopes.ts'
import { setDeadline, setNextRound, setResolving, type Token } from '../tokens.ts'
import { toDeadline, toStart, windowOf } from './windows.ts'

/**
 * Starts the window of a step. A calendar is read by an activity, so that its answer is in the history: `Intl` in a
 * workflow would change with the data of Node, and break replays.
 */
export function startWindow(flow: PlannedFlow, token: Token, step: PlannedStep): void {
  stopResolving(flow, token)
  const window = windowOf(step)
  const set = (deadline: number | null) => {
    setDeadline(token, deadline)
    notePassed(flow, token, step)
  }
  if (window === null || !('calendar' in window)) set(toDeadline(flow.progress, token, window, flow.runtime.now()))
  else {
    setDeadline(token, null)
    resolve(flow, token, step, window, set)
  }
}

/** Sets the moment at which the next round of a loop begins, counted from the start of this one. */
export function startPause(flow: PlannedFlow, token: Token, step: PlannedStep, every: PlannedWindow): void {
  if (every !== null && 'calendar' in every) {
    setNextRound(token, null)
    resolve(flow, token, step, every, moment => setNextRound(token, moment))
    return
  }
  const moment = toDeadline(flow.progress, token, every, flow.runtime.now())
  if (moment !== null) setNextRound(token, moment)
}

/** The step is left, or a decision ends its window. A late answer is ignored. */
export function stopResolving(flow: PlannedFlow, token: Token): void {
  const resolving = flow.resolving.filter(each => each.token === token)
  if (resolving.length === 0) return
  for (const { activity } of resolving) activity.cancel()
  dropResolving(flow, resolving)
  setResolving(token, false)
}

/** Starts the activity without awaiting it, so that the flow still handles messages, polls and the end of the step. */
function resolve(
  flow: PlannedFlow,
  token: Token,
  step: PlannedStep,
  window: CalendarWindow,
  set: (moment: number) => void,
): void {
  const { progress, runtime } = flow
  const from = toStart(progress, token, window, runtime.now())
  if (from === null) return
  const pickUpPointUid = findPickUpPoint(flow, token, step)
  const name = toEffectKey(token.id, step.name)
  const input = { step: name, rule: window.calendar, from: new Date(from).toISOString(), pickUpPointUid }
  const activity = resolveMoment(name).start(runtime, input)
  const resolving: Resolving = { token, activity, failure: undefined }
  flow.resolving = [...flow.resolving, resolving]
  setResolving(token, true)
  const isCurrent = () => flow.resolving.includes(resolving)
  void activity.result.then(
    ({ moment }) => {
      if (!isCurrent()) return
      endResolving(flow, resolving)
      set(scale(flow, from, moment))
      flow.needsEvaluation = true
    },
    error => {
      if (!isActivityError(error)) throw error
      // A caller may already have cancelled the flow while a poll delays its end. The first cause wins.
      if (!isCurrent() || isCancelled(flow)) return
      const failure = businessErrorIn(error)
      resolving.failure = failure === undefined ? { type: toErrorCode(error), message: '' } : toFailureText(failure)
      flow.needsEvaluation = true
    },
  )
}

/** Calendars cannot be scaled as durations are, but the distance to their answer can. */
function scale({ progress }: PlannedFlow, from: number, moment: string): number {
  const { windowFactor = 1 } = progress.plan
  return from + Math.ceil((Date.parse(moment) - from) * windowFactor)
}

/** The calendar has answered, or failed. */
export function endResolving(flow: PlannedFlow, resolving: Resolving): void {
  dropResolving(flow, [resolving])
  setResolving(
    resolving.token,
    flow.resolving.some(({ token }) => token === resolving.token),
  )
}

/** A moment in the past counts as passed. */
function notePassed(flow: PlannedFlow, { deadline }: Token, step: PlannedStep): void {
  const isWork = 'window' in step && typeof step.window === 'number'
  if (isWork || deadline === null || deadline > flow.runtime.now()) return
  recordRejection(flow, `${step.name}: the moment at which it ends has passed already`)
}

/** The pick up point of the awaited shipment, else of the last booked one, else of the input. */
function findPickUpPoint({ progress }: PlannedFlow, { id }: Token, step: PlannedStep): string | null {
  const { plan, lockers } = progress
  const { shipments } = lockers
  const awaited =
    step.kind === 'wait' ? Object.keys(step.reached).flatMap(role => findShipment(lockers, id, role) ?? []) : []
  return (awaited.at(-1) ?? shipments.at(-1))?.pupUid ?? plan.pickUpPoint
}
