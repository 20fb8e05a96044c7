import type { WorkflowExecutionDescription } from '@temporalio/client'
import type { FlowState } from '#flows'
import { distance, moment, plain } from './text.ts'

/** A flow that has not begun. */
export interface LaterStart {
  readonly caseNo: string
  readonly flow: string
  readonly state: FlowState
  /** ISO 8601 in UTC. */
  readonly beginsAt: string
  readonly link: string | null
}

/** Undefined for a flow that has begun. A client can delay a start, or give a flow a cron schedule. */
export function findLaterStart(
  caseNo: string,
  { type: flow, status, startTime, executionTime }: WorkflowExecutionDescription,
  link: string | null,
): LaterStart | undefined {
  // Without a delay, the time of execution is that of the start, as the clock of Temporal has it.
  if (status.name !== 'RUNNING' || executionTime === undefined || executionTime <= startTime) return undefined
  if (executionTime.getTime() <= Date.now()) return undefined
  return { caseNo, flow, state: 'booking', beginsAt: executionTime.toISOString(), link }
}

/** @param now milliseconds since 1970 */
export function startLines({ caseNo, flow, state, beginsAt, link }: LaterStart, now: number): string[] {
  const start = `  its start: ${moment(beginsAt)} (${distance(beginsAt, now)})`
  const webUi = link === null ? [] : ['', 'Web UI', `  ${link}`]
  return [`${plain(caseNo)}  ${plain(flow)}  ${state}`, '', 'Waits for', start, ...webUi]
}
