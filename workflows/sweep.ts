import { isRecord } from '#contract/terms'
import type { OrphanedCase, SweepInput, SweepReport } from '#flows'
import { adoptOrphan, cancelLateOrphan, cancelOrphan, findLateOrphans, findOrphans } from './activities.ts'
import { flowFailure, isActivityError, isCancellation, toErrorCode } from './failures.ts'
import type { Runtime } from './runtime.ts'

const treatments: readonly unknown[] = ['list', 'adopt', 'cancel'] satisfies SweepInput['act'][]

/** Milliseconds. No create is late for longer, and a sweep that waits for years is a mistake of its starter. */
const longestDelay = 24 * 3_600_000

/**
 * Finds shipments without a running flow, and cancels or adopts them on request, one case after the other. For late
 * bookings it first waits until no create can be late any more. A sweep that is cancelled ends after the case that it
 * treats, and closes as Canceled.
 */
export async function runSweep(runtime: Runtime, given: SweepInput): Promise<SweepReport> {
  const input = readInput(given)
  if (input.late !== undefined) {
    await runtime.sleep(input.late.delay, 'until no create of the flow can be late')
  }
  const report = await (input.late === undefined ? findOrphans : findLateOrphans)(runtime, input)
  if (input.act === 'list') return report
  const cases: OrphanedCase[] = []
  for (const orphan of report.cases) cases.push(await treat(runtime, input, orphan))
  return { ...report, cases }
}

/**
 * Any client can start a sweep, and many send null for an unset field. A sweep without an age would treat bookings that are
 * under way.
 * @throws ApplicationFailure with InvalidFlowInput
 */
function readInput(given: unknown): SweepInput {
  const fields = isRecord(given) ? Object.entries(given).filter(([, value]) => value !== null) : []
  const input: { readonly [name: string]: unknown } = Object.fromEntries(fields)
  const { act, olderThan, late = { delay: 0, known: [] } } = input
  const faults = [
    ...(treatments.includes(act) ? [] : [`act: must be one of ${treatments.join(', ')}.`]),
    ...(isLength(olderThan) ? [] : ['olderThan: must be a number of milliseconds.']),
    ...(isRecord(late) && isLength(late.delay) && Array.isArray(late.known)
      ? []
      : ['late: must have delay, a number of milliseconds, and the list known.']),
    ...(isRecord(late) && Number(late.delay) > longestDelay ? [`late.delay: must be at most ${longestDelay}.`] : []),
  ]
  if (faults.length > 0) throw flowFailure('InvalidFlowInput', faults.join(' '))
  return input as unknown as SweepInput
}

function isLength(value: unknown): boolean {
  return typeof value === 'number' && value >= 0
}

async function treat(runtime: Runtime, { act, flow, late }: SweepInput, orphan: OrphanedCase): Promise<OrphanedCase> {
  try {
    if (act === 'cancel') {
      const cancel = late === undefined ? cancelOrphan : cancelLateOrphan
      return await cancel(runtime, { orphan, late: late !== undefined })
    }
    return await adoptOrphan(runtime, { orphan, ...(flow !== undefined && { flow }) })
  } catch (error) {
    if (isCancellation(error) || !isActivityError(error)) throw error
    return { ...orphan, left: `the service gave no response: ${toErrorCode(error)}` }
  }
}
