import { ApplicationFailure } from '@temporalio/common'
import { describe, expect, test } from 'vitest'
import { createContext, type PlannedFlow } from '../../../workflows/context.ts'
import { pollOnHint } from '../../../workflows/lockers/polls.ts'
import type { Claim } from '../../../workflows/progress.ts'
import type { RunInfo, Runtime } from '../../../workflows/runtime.ts'
import { heldIn, progressOf } from '../../support/flows/progress.ts'

/** A flow at moment 0 that has received claims, and the states that its service returns; undefined without a response. */
function start(claims: readonly Claim[], shown: string | undefined) {
  const runtime: Partial<Runtime> = {
    now: () => 0,
    info: () => ({ historyLength: 100, continueAsNewSuggested: false }) as RunInfo,
    async activity() {
      if (shown === undefined) throw ApplicationFailure.create({ type: 'ServiceUnavailable' })
      return [heldIn(shown)]
    },
  }
  const flow = createContext(runtime as Runtime, { workflowType: 'issue' } as RunInfo, { caseNo: '1', request: {} })
  const progress = progressOf('ReadyForDropOff')
  return Object.assign(flow, { progress, claims }) as PlannedFlow
}
const pickUp: Claim = { shipmentUid: 'S1', stateCode: 'ReadyForPickup' }
const completed: Claim = { shipmentUid: 'S1', stateCode: 'Completed' }

/** Polls, and returns after the end of the poll. */
async function poll(flow: PlannedFlow): Promise<void> {
  pollOnHint(flow)
  expect(flow.isPolling).toBe(true)
  while (flow.isPolling) await Promise.resolve()
  expect(flow.needsEvaluation).toBe(true)
}

/** The pauses before each further poll, at most seven. */
async function pausesOf(flow: PlannedFlow): Promise<(number | undefined)[]> {
  const pauses: (number | undefined)[] = []
  for (let polls = 0; polls < 7; polls++) {
    await poll(flow)
    pauses.push(flow.progress.lockers.unconfirmed?.nextPoll)
    if (pauses.at(-1) === undefined) break
  }
  return pauses
}

describe('a hint that no poll confirms', () => {
  test('was forged after four further polls', async () => {
    const flow = start([pickUp], 'ReadyForDropOff')
    expect(await pausesOf(flow)).toEqual([5_000, 20_000, 60_000, 300_000, undefined])
  })

  test('is followed by polls until the service responds', async () => {
    const flow = start([pickUp], undefined)
    expect(await pausesOf(flow)).toEqual([5_000, 20_000, 60_000, 300_000, 300_000, 300_000, 300_000])
  })

  test('is followed by them too if it claims no state', async () => {
    expect((await pausesOf(start([], undefined))).slice(0, 2)).toEqual([5_000, 20_000])
  })

  test('begins its polls anew when another state is claimed', async () => {
    const flow = start([pickUp], 'ReadyForDropOff')
    for (const claims of [[pickUp], [pickUp], [completed]]) {
      flow.claims = claims
      await poll(flow)
    }
    expect(flow.progress.lockers.unconfirmed).toEqual({ claims: [completed], polls: 1, nextPoll: 5_000 })
  })
})

test('a hint that the service shows is followed by no poll', async () => {
  expect(await pausesOf(start([pickUp], 'ReadyForPickup'))).toEqual([undefined])
})
