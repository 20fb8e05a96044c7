import { setTimeout as sleep } from 'node:timers/promises'
import { FlowCallError } from '#client'
import type { FlowAnswer } from '../outcome.ts'
import type { BulkLine, Journal, SelectedCase } from './journal.ts'

/** Updates in flight. Each waits for a worker. */
const mostInFlight = 32

/** Milliseconds that updates in flight have after Ctrl-C. Later results are left to a resumption. */
const drainTimeout = 5_000

/** Results that a repetition would not change. */
const settled: ReadonlySet<string> = new Set(['Decided', 'Cancelled', 'Refused', 'UnknownCase'])

export interface BulkRun {
  readonly journal: Journal
  /** Cases per second. */
  readonly rate: number
  readonly signal: AbortSignal
  readonly send: (selected: SelectedCase) => Promise<FlowAnswer>
  readonly onProgress: (counts: BulkCounts) => void
}

export interface BulkCounts {
  readonly cases: number
  /** Results of this process and of earlier ones. */
  readonly done: number
  readonly refused: number
  /** The flow or Temporal did not respond: a resumption sends the update again. */
  readonly open: number
}

/** The end of a bulk, with the error that stopped it before its last case. */
export interface BulkEnd extends BulkCounts {
  readonly stoppedBy: unknown
}

/** Sends the update to each case without a result, at a steady rate. Stops at Ctrl-C, and when Temporal does not respond. */
export async function performBulk({ journal, rate, signal, send, onProgress }: BulkRun): Promise<BulkEnd> {
  const { head, lines } = journal
  const known = new Set(lines.map(({ caseNo }) => caseNo))
  const missing = head.cases.filter(({ caseNo }) => !known.has(caseNo))
  let stoppedBy: unknown
  let refused = lines.filter(isRefused).length
  const counts = (): BulkCounts => ({
    cases: head.cases.length,
    done: known.size - refused,
    refused,
    open: head.cases.length - known.size,
  })
  const settle = async (selected: SelectedCase) => {
    const line = await sendOne(selected, send).catch((error: unknown) => {
      // A flow without a worker, or one that is busy, says nothing about the next one.
      if (!(error instanceof FlowCallError) || error.code !== 'NoResponseInTime') stoppedBy ??= error
      return undefined
    })
    if (line === undefined || !settled.has(line.result)) return
    known.add(line.caseNo)
    if (isRefused(line)) refused += 1
    await journal.add(line).catch((error: unknown) => {
      stoppedBy ??= error
    })
    onProgress(counts())
  }
  const inFlight = new Set<Promise<void>>()
  const begin = performance.now()
  for (const [index, selected] of missing.entries()) {
    const pause = begin + (index * 1_000) / rate - performance.now()
    if (pause > 0) await sleep(pause, undefined, { signal }).catch(() => undefined)
    while (inFlight.size >= mostInFlight) await Promise.race(inFlight)
    if (signal.aborted || stoppedBy !== undefined) break
    const sending = settle(selected).finally(() => inFlight.delete(sending))
    inFlight.add(sending)
  }
  const drained = Promise.all(inFlight)
  await (signal.aborted ? Promise.race([drained, sleep(drainTimeout, undefined, { ref: false })]) : drained)
  return { ...counts(), stoppedBy: signal.aborted ? signal.reason : stoppedBy }
}

function isRefused({ result }: BulkLine): boolean {
  return result === 'Refused' || result === 'UnknownCase'
}

async function sendOne(selected: SelectedCase, send: BulkRun['send']): Promise<BulkLine> {
  const answer = await send(selected)
  const reason = 'code' in answer ? { code: answer.code, message: answer.message } : {}
  return { caseNo: selected.caseNo, result: answer.kind, ...reason, at: new Date().toISOString() }
}
