import type { ApplicationFailure } from '@temporalio/common'
import type { Edge, FlowOutcome, FlowShipment, FlowStatus, LeftOver } from '#flows'
import type { FlowEnd } from './execution.ts'
import { toCode } from './server.ts'
import type { AnswerWanted, SentNotification, TimeLineEntry } from './timeLine.ts'

/** The progress of a flow in a simulation. */
export interface SimulatedRun {
  readonly timeLine: readonly TimeLineEntry[]
  /** The paths between steps that the flow has taken, in their order. */
  readonly edges: readonly Edge[]
  readonly status: FlowStatus
  /** Undefined while the flow runs. */
  readonly outcome: FlowOutcome | 'failed' | undefined
  /** The code of the failure of a failed flow. */
  readonly code: string | undefined
  /** The message of that failure. */
  readonly message: string | undefined
  /** The shipments that the flow has booked, in their last states. */
  readonly bookings: readonly FlowShipment[]
  readonly notifications: readonly SentNotification[]
  /** Everything that the end of the flow has left for a person. */
  readonly leftOver: readonly LeftOver[]
  readonly answersWanted: readonly AnswerWanted[]
  readonly timers: readonly SimulatedTimer[]
}

/** Moments in milliseconds since 1970. */
export interface SimulatedTimer {
  readonly summary: string
  readonly startedAt: number
  readonly until: number
  readonly state: 'running' | 'fired' | 'canceled'
}

interface Parts extends Pick<SimulatedRun, 'timeLine' | 'edges' | 'status' | 'notifications' | 'answersWanted'> {
  readonly end: FlowEnd | undefined
}

export function toSimulatedRun({ end, ...parts }: Parts): SimulatedRun {
  return { ...parts, ...toOutcome(end), bookings: parts.status.shipments, timers: toTimers(parts.timeLine) }
}

/** A timer that was started again has another summary, or the earlier one has ended. */
function toTimers(timeLine: readonly TimeLineEntry[]): SimulatedTimer[] {
  const timers: SimulatedTimer[] = []
  for (const entry of timeLine) {
    if (entry.kind === 'timerStarted') {
      const { summary, at, length } = entry
      timers.push({ summary, startedAt: at, until: at + length, state: 'running' })
    } else if (entry.kind === 'timerFired' || entry.kind === 'timerCanceled') {
      const index = timers.findIndex(({ summary, state }) => summary === entry.summary && state === 'running')
      const timer = timers[index]
      if (timer !== undefined) timers[index] = { ...timer, state: entry.kind === 'timerFired' ? 'fired' : 'canceled' }
    }
  }
  return timers
}

function toOutcome(end: FlowEnd | undefined): Pick<SimulatedRun, 'outcome' | 'code' | 'message' | 'leftOver'> {
  if (end === undefined) return { outcome: undefined, code: undefined, message: undefined, leftOver: [] }
  if ('result' in end) {
    const { outcome, leftOver } = end.result
    return { outcome, code: undefined, message: undefined, leftOver }
  }
  const [details] = ((end.failure as ApplicationFailure).details ?? []) as [{ readonly leftOver?: LeftOver[] }?]
  const { message } = end.failure
  return { outcome: 'failed', code: toCode(end.failure), message, leftOver: details?.leftOver ?? [] }
}
