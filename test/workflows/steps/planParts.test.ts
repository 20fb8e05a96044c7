import { describe, expect, test } from 'vitest'
import type { FlowPlan, PlannedCall, PlannedRun } from '#flows'
import { shareParts } from '../../../workflows/planParts.ts'
import { issueSteps, planOf } from '../../support/flows/progress.ts'

/** The plan of a case, as the worker reads it from a history. */
function read(changes: Partial<FlowPlan> = {}): FlowPlan {
  return structuredClone(planOf(issueSteps, changes))
}

const common = { summary: 'A device is repaired.', cancels: ['issue'], window: 1_000 }
const call: PlannedCall = {
  ...common,
  name: 'call',
  kind: 'call',
  operation: 'RemoveAccount',
  request: { userUid: 'u-1' },
}
const run: PlannedRun = {
  ...common,
  name: 'repair',
  kind: 'run',
  activity: 'repair',
  with: { serialNo: 1 },
  keep: { cents: 'integer' },
  undo: 'nothing',
  timeout: 1_000,
  retry: { maximumAttempts: 3 },
}

describe('two flows of one worker', () => {
  test('share the parts that their plans have in common', () => {
    const [one, other] = [shareParts(read()), shareParts(read({ caseNo: 'case-2' }))]
    expect(other.steps.slice(1)).toEqual(issueSteps.slice(1))
    for (const [index, step] of one.steps.entries()) if (step.kind === 'wait') expect(other.steps[index]).toBe(step)
    expect(other.reachable).toBe(one.reachable)
    expect(other.profile).toBe(one.profile)
  })

  test('have the plan that was given to each', () => {
    const [booking, ...waits] = structuredClone(issueSteps)
    const mine = read({
      caseNo: 'case-1',
      steps: [{ ...booking, request: { value: { PupUid: 'pup-1' } } }, call, run, ...waits],
    })
    const other = read({
      caseNo: 'case-2',
      polls: { initial: 1, maximum: 2 },
      profile: { ...mine.profile, reads: false },
    })
    for (const plan of [mine, other]) expect(shareParts(structuredClone(plan))).toEqual(plan)
  })

  test('cannot change a part that they share', () => {
    const [, dropOff] = shareParts(read()).steps
    if (dropOff?.kind !== 'wait') throw new Error('The second step is a wait.')
    expect(() => Object.assign(dropOff.reached, { issue: 'Cancelled' })).toThrow(TypeError)
    expect(() => dropOff.cancels.push('issue')).toThrow(TypeError)
  })
})

test('a flow whose plan is like no other keeps its own parts', () => {
  for (let hours = 1; hours < 1_500; hours++) {
    const [booking, dropOff, pickUp] = structuredClone(issueSteps)
    const plan = planOf([booking, { ...dropOff, window: { moment: hours } }, pickUp])
    expect(shareParts(structuredClone(plan)).steps).toEqual(plan.steps)
  }
})
