import { isRecord } from '#contract/terms'
import { isCaseNo, mustBeCaseNo, type OrphanedCase, type SweepInput, type SweepReport } from '#flows'
import { adoptOrphan, cancelLateOrphan, cancelOrphan, findLateOrphans, findOrphans } from './activities.ts'
import { flowFailure, isActivityError, isCancellation, toErrorCode } from './failures.ts'
import type { Runtime } from './runtime.ts'

const treatments: readonly unknown[] = ['list', 'adopt', 'cancel'] satisfies SweepInput['act'][]

/** The fields of its input. */
const fields = ['act', 'olderThan', 'flow', 'caseNo', 'late'] as const satisfies (keyof SweepInput)[]

/** Unknown fields that a failure names, and characters of each. */
const [maxNamed, maxLength] = [5, 40]

/** Milliseconds. No create is late for longer, and a sweep that waits for years is a mistake of its starter. */
const maxDelay = 24 * 3_600_000

/**
 * Finds shipments without a running flow, and cancels or adopts them on request, one case after the other. For late
 * bookings it first waits until no create can be late any more. A sweep that is cancelled ends after the case that it
 * settles, and closes as Canceled.
 */
export async function runSweep(runtime: Runtime, given: SweepInput): Promise<SweepReport> {
  const input = readInput(given)
  if (input.late !== undefined) {
    await runtime.sleep(input.late.delay, 'until no create of the flow can be late')
  }
  const report = await (input.late === undefined ? findOrphans : findLateOrphans)(runtime, input)
  if (input.act === 'list') return report
  const cases: OrphanedCase[] = []
  for (const orphan of report.cases) cases.push(await settle(runtime, input, orphan))
  return { ...report, cases }
}

/**
 * Any client can start a sweep, and many send null for an unset field. A sweep without an age would act on bookings that are
 * under way, and one with a misspelled case would act on all cases.
 * @throws ApplicationFailure with InvalidFlowInput
 */
function readInput(given: unknown): SweepInput {
  const { late: givenLate, ...input } = withoutNull(given)
  const late = isRecord(givenLate) ? withoutNull(givenLate) : givenLate
  const { act, olderThan, flow, caseNo, ...others } = input
  const unknown = Object.keys(others)
    .slice(0, maxNamed)
    .map(name => name.slice(0, maxLength))
  const faults = [
    ...(treatments.includes(act) ? [] : [`act: must be one of ${treatments.join(', ')}.`]),
    ...(isLength(olderThan) ? [] : ['olderThan: must be a number of milliseconds.']),
    ...(flow === undefined || isText(flow) ? [] : ['flow: must be the name of a flow.']),
    ...(caseNo === undefined || isCaseNo(caseNo) ? [] : [`caseNo: ${mustBeCaseNo}.`]),
    ...(unknown.length > 0 ? [`${unknown.join(', ')}: must not be given: a sweep has ${fields.join(', ')}.`] : []),
    ...(late === undefined ? [] : findLateFaults(late)),
  ]
  if (faults.length > 0) throw flowFailure('InvalidFlowInput', faults.join(' '))
  return { ...input, ...(late !== undefined && { late }) } as unknown as SweepInput
}

function withoutNull(given: unknown): { readonly [name: string]: unknown } {
  if (!isRecord(given)) return {}
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null))
}

function findLateFaults(late: unknown): string[] {
  if (!isRecord(late) || !isLength(late.delay) || !Array.isArray(late.known))
    return ['late: must have delay, a number of milliseconds, and the list known.']
  const wrong = late.known.findIndex(uid => typeof uid !== 'string')
  return [
    ...(Number(late.delay) > maxDelay ? [`late.delay: must be at most ${maxDelay}.`] : []),
    ...(wrong < 0 ? [] : [`late.known[${wrong}]: must be the uid of a shipment.`]),
    ...(late.runId === undefined || isText(late.runId) ? [] : ['late.runId: must be the id of a run.']),
  ]
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}

function isLength(value: unknown): boolean {
  return typeof value === 'number' && value >= 0
}

async function settle(runtime: Runtime, { act, flow, late }: SweepInput, orphan: OrphanedCase): Promise<OrphanedCase> {
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
