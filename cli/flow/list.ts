import type { ListedCase, ListFilter } from '#client'
import { compileWhere } from '#client/where'
import type { FlowState } from '#flows'
import { misuse } from '../command/failure.ts'
import type { VerbCall } from '../command/verb.ts'
import { type RunEnd, withEnds } from './ends.ts'
import { finish } from './outcome.ts'
import { withFlows } from './session.ts'
import { moment, plain, table } from './text.ts'

/** The states of flows, for completion and for `--state`. */
const flowStates = ['booking', 'waiting', 'overdue', 'cleaningUp', 'ended'] as const satisfies readonly FlowState[]

const maxPerPage = 1_000

/** `lockerflow flow list`. */
export async function run(call: VerbCall): Promise<void> {
  const { output } = call
  const filter = readFilter(call.options)
  await withFlows(call, async ({ flows, client }) => {
    const page = await flows.list(filter)
    if (page.kind !== 'Listed') return finish(output, page)
    const cases = await withEnds(client, page.cases)
    const next = page.cursor === null ? [] : ['', `More: --cursor ${page.cursor}`]
    output.result({ ...page, cases }, () =>
      cases.length === 0 ? ['No flow matches.'] : [...caseTable(cases), ...next],
    )
  })
}

/** @throws CommandFailure that names the option */
export function readFilter(options: Readonly<Record<string, unknown>>): ListFilter<string> {
  const { flow, state, user, pickUpPoint, where, cursor, limit, overdue } = options as Readonly<
    Record<string, string | boolean | undefined>
  >
  if (state !== undefined && !flowStates.some(each => each === state)) {
    throw misuse(`--state: must be one of ${flowStates.join(', ')}, got "${state}".`)
  }
  rejectWrongWhere(where)
  const pageSize = limit === undefined ? undefined : Number(limit)
  if (pageSize !== undefined && !(Number.isInteger(pageSize) && pageSize >= 1 && pageSize <= maxPerPage)) {
    throw misuse(`--limit: must be a number from 1 to ${maxPerPage}, got "${limit}".`)
  }
  const texts = { flow, state, user, pickUpPoint, where, cursor, pageSize }
  const given = Object.entries(texts).filter(([, value]) => value !== undefined)
  return { ...Object.fromEntries(given), ...(overdue === true && { overdue }) }
}

/**
 * Without this check, an unreachable Temporal would hide the fault of the condition.
 * @throws CommandFailure that names the option
 */
export function rejectWrongWhere(where: unknown): void {
  if (typeof where !== 'string') return
  try {
    compileWhere(where, Date.now())
  } catch (error) {
    if (error instanceof Error && error.name === 'WhereFault') throw misuse(`--${error.message}`)
    throw error
  }
}

/** Flows as a table with a header. */
export function caseTable(cases: readonly (ListedCase & Partial<RunEnd>)[]): string[] {
  const rows = cases.map(({ caseNo, flow, state, steps, pickUpPoint, startedAt, failed, endedFromOutside }) =>
    [
      caseNo,
      flow,
      endedFromOutside ?? (failed ? 'failed' : state),
      steps.join(', '),
      pickUpPoint ?? '',
      moment(startedAt),
    ].map(plain),
  )
  return table([['case', 'flow', 'state', 'step', 'pick up point', 'started'], ...rows])
}
