import { expect, test } from 'vitest'
import { createContext, type PlannedFlow } from '../../workflows/context.ts'
import type { RunInfo, Runtime } from '../../workflows/runtime.ts'
import { toStatus } from '../../workflows/status.ts'
import { type ProgressChanges, progressOf } from '../support/flows/progress.ts'

/** The status of a flow whose window has passed at moment 5000. */
function statusWith(changes: ProgressChanges, hasEnded = false) {
  const runtime: Partial<Runtime> = { now: () => 6_000 }
  const flow = createContext(runtime as Runtime, { workflowType: 'issue' } as RunInfo, { caseNo: '1', request: {} })
  const progress = progressOf('ReadyForDropOff', { overdueSince: 5_000, ...changes })
  const { state, overdue, overdueSince } = toStatus(Object.assign(flow, { progress, hasEnded }) as PlannedFlow)
  return { state, overdue, overdueSince }
}

test('a flow is overdue since its window has passed', () => {
  expect(statusWith({})).toEqual({ state: 'overdue', overdue: true, overdueSince: '1970-01-01T00:00:05.000Z' })
})

const ending = { outcome: 'cancelled' } as const

test.each([
  ['cleaningUp', false],
  ['ended', true],
])('a flow that is %s is overdue no longer', (state, hasEnded) => {
  expect(statusWith({ ending }, hasEnded)).toEqual({ state, overdue: false, overdueSince: null })
})
