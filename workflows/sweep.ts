import type { OrphanedCase, SweepInput, SweepReport } from '#flows'
import { adoptOrphan, cancelLateOrphan, cancelOrphan, findLateOrphans, findOrphans } from './activities.ts'
import { isActivityError, isCancellation, toErrorCode } from './failures.ts'
import type { Runtime } from './runtime.ts'

/**
 * Finds shipments without a running flow, and cancels or adopts them on request, one case after the other. For late
 * bookings it first waits until no create can be late any more. A sweep that is cancelled ends after the case that it
 * treats, and closes as Canceled.
 */
export async function runSweep(runtime: Runtime, input: SweepInput): Promise<SweepReport> {
  if (input.late !== undefined) {
    await runtime.sleep(input.late.delay, 'until no create of the flow can be late')
  }
  const report = await (input.late === undefined ? findOrphans : findLateOrphans)(runtime, input)
  if (input.act === 'list') return report
  const cases: OrphanedCase[] = []
  for (const orphan of report.cases) cases.push(await treat(runtime, input, orphan))
  return { ...report, cases }
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
