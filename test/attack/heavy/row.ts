import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { measureCalls, percentile } from '../../support/service/fairness.ts'
import { type LoadCounts, prepareAttacker } from './attacker.ts'
import { startGatewaySite } from './gatewaySite.ts'
import { startServiceSite } from './serviceSite.ts'

/** The systems under attack: the service on each of its stores, and the gateway. */
export type SiteName = 'embedded' | 'postgres' | 'gateway'

export interface RowName {
  readonly site: SiteName
  readonly load: string
  /** Length of the load. */
  readonly seconds: number
}

/** Response times in milliseconds, and the part of the time in which the service's first thread waited for a processor. */
export interface Phase {
  readonly p50: number
  readonly p99: number
  /** Null where the system does not count it. */
  readonly waited: number | null
}

/** One load on one site: the measured tenant alone before and after it, and beside it. */
export interface MeasuredRow extends RowName, LoadCounts {
  readonly before: Phase
  readonly beside: Phase
  readonly after: Phase
}

export interface FailedRow extends RowName {
  readonly error: string
}

export type Row = MeasuredRow | FailedRow

/** Seconds after the load in which the service ends what it has begun for it. */
const rest = 10

/** Longest time of the calls that fill caches, open connections and are compiled. */
const maxWarmUp = 10

/** Measures the calls of one tenant alone for half of the time, beside the load of the other, and alone again. */
export async function measureRow(row: RowName): Promise<MeasuredRow> {
  const { load, seconds } = row
  const { target, pid, call, ...site } = await (row.site === 'gateway'
    ? startGatewaySite()
    : startServiceSite(row.site, load))
  try {
    const attacker = await prepareAttacker(load, target)
    const measure = (length: number) => measurePhase(pid, call, length)
    const settle = async () => {
      await site.settle()
      await measureCalls(call, Math.min(maxWarmUp, seconds / 3))
    }
    await settle()
    const before = await measure(seconds / 2)
    attacker.start()
    const beside = await Promise.race([measure(seconds), attacker.failed])
    const counts = await attacker.stop()
    await delay(Math.min(rest, seconds / 3) * 1_000)
    await settle()
    return { ...row, ...counts, before, beside, after: await measure(seconds / 2) }
  } finally {
    await site.stop()
  }
}

async function measurePhase(pid: number, call: () => Promise<unknown>, seconds: number): Promise<Phase> {
  const waitedBefore = await readWaited(pid)
  const durations = await measureCalls(call, seconds)
  const waitedAfter = await readWaited(pid)
  const waited = waitedBefore === null || waitedAfter === null ? null : (waitedAfter - waitedBefore) / seconds / 1_000
  return { p50: percentile(durations, 0.5), p99: percentile(durations, 0.99), waited }
}

/** Milliseconds for which the first thread of a process was ready and had no processor. Null on other systems than Linux. */
async function readWaited(pid: number): Promise<number | null> {
  const text = await readFile(`/proc/${pid}/schedstat`, 'utf8').catch(() => undefined)
  return text === undefined ? null : Number(text.split(' ')[1]) / 1_000_000
}
