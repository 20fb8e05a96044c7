import { expect, test } from 'vitest'
import { createContext, type PlannedFlow } from '../../../workflows/context.ts'
import { pollOnSchedule, startPolls } from '../../../workflows/lockers/polls.ts'
import type { RunInfo, Runtime } from '../../../workflows/runtime.ts'
import { heldIn, progressOf } from '../../support/flows/progress.ts'

/** A flow at moment 10000, at which its poll is due. The service answers at moment 11000, after `meanwhile`. */
async function pollDue(meanwhile: (flow: PlannedFlow) => void) {
  let now = 10_000
  const answer = Promise.withResolvers<unknown>()
  const runtime: Partial<Runtime> = {
    now: () => now,
    info: () => ({ historyLength: 100, continueAsNewSuggested: false }) as RunInfo,
    activity: () => answer.promise as never,
  }
  const flow = createContext(runtime as Runtime, { workflowType: 'issue' } as RunInfo, { caseNo: '1', request: {} })
  const planned: PlannedFlow = Object.assign(flow, { progress: progressOf('ReadyForDropOff') })
  pollOnSchedule(planned)
  now = 10_500
  meanwhile(planned)
  now = 11_000
  answer.resolve([heldIn('ReadyForDropOff')])
  while (flow.isPolling) await Promise.resolve()
  const { nextPoll, pollCount } = planned.progress.lockers
  return { nextPoll, pollCount }
}

test('after a poll, the interval doubles', async () => {
  expect(await pollDue(() => undefined)).toEqual({ nextPoll: 31_000, pollCount: 1 })
})

test('a step that begins during a poll has a schedule of its own', async () => {
  const polls = await pollDue(({ progress, runtime }) => startPolls(progress, runtime.now()))
  expect(polls).toEqual({ nextPoll: 20_500, pollCount: 0 })
})
