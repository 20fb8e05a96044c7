import { FlowCallError } from '#client'
import type { FlowAnswer } from '../outcome.ts'
import type { BulkLine, Journal, SelectedCase } from './journal.ts'
import { inPace } from './pace.ts'
import { type BulkCounts, Tally } from './tally.ts'

/** Each update waits for a worker. Those in flight have five seconds after Ctrl-C: later results are left to a resumption. */
const limits = { maxInFlight: 32, drainTimeout: 5_000 } as const

export interface BulkRun {
  readonly journal: Journal
  /** Cases per second. */
  readonly rate: number
  readonly signal: AbortSignal
  readonly send: (selected: SelectedCase) => Promise<FlowAnswer>
  readonly onProgress: (counts: BulkCounts) => void
}

/** The end of a bulk, with the error that stopped it before its last case. */
export interface BulkEnd extends BulkCounts {
  readonly stoppedBy: unknown
}

/** Sends the update to each case without a result, at a steady rate. Stops at Ctrl-C, and when Temporal does not respond. */
export async function performBulk({ journal, rate, signal, send, onProgress }: BulkRun): Promise<BulkEnd> {
  const tally = new Tally(journal.head, journal.lines)
  let stoppedBy: unknown
  const settle = async (selected: SelectedCase) => {
    try {
      const line = toLine(selected, await send(selected))
      if (!tally.add(line)) return true
      await journal.add(line)
      onProgress(tally.counts)
    } catch (error) {
      if (isOfOneFlow(error)) return true
      stoppedBy ??= error
    }
    return stoppedBy === undefined
  }
  await inPace(tally.missing, settle, { ...limits, rate, signal })
  return { ...tally.counts, stoppedBy: signal.aborted ? signal.reason : stoppedBy }
}

/** A flow that is paused, without a worker or busy says nothing about the next one. */
function isOfOneFlow(error: unknown): boolean {
  return error instanceof FlowCallError && ['NoResponseInTime', 'FlowPaused'].includes(error.code)
}

function toLine({ caseNo }: SelectedCase, answer: FlowAnswer): BulkLine {
  const reason = 'code' in answer ? { code: answer.code, message: answer.message } : {}
  const { serviceRequestId } = answer.kind === 'Refused' ? answer : {}
  const request = serviceRequestId === undefined ? {} : { serviceRequestId }
  return { caseNo, result: answer.kind, ...reason, ...request, at: new Date().toISOString() }
}
