import { describe, expect, test } from 'vitest'
import { createContext, type FlowContext, restore } from '../../../workflows/context.ts'
import type { Runtime } from '../../../workflows/runtime.ts'
import { validate } from '../../../workflows/updates/decide.ts'
import { type ProgressChanges, progressOf } from '../../support/flows/progress.ts'

/** A flow at moment 0 whose window of the drop off has passed. */
function overdue(stateCode: string, changes: ProgressChanges = {}): FlowContext {
  const info = { workflowType: 'issue' } as ReturnType<Runtime['info']>
  const runtime = { now: () => 0, setAhead: () => undefined, isCancelRequested: () => false } as unknown as Runtime
  const flow = createContext(runtime, info, { caseNo: 'case-1', request: {} })
  restore(flow, progressOf(stateCode, { overdueSince: 0, deadline: null, ...changes }))
  return flow
}

const complete = 'The step is complete, so there is nothing to decide.'

describe('a decision about a flow that is still overdue', () => {
  test('is accepted in the step whose window has passed', () => {
    expect(() => validate(overdue('ReadyForDropOff'), { decision: 'extend' })).not.toThrow()
  })

  test.each<[string, string, ProgressChanges]>([
    ['that has reached the end of the step', 'ReadyForPickup', {}],
    ['that has not entered the next step', 'ReadyForPickup', { step: 2, entered: false }],
    ['that has left the last step', 'Completed', { step: 3, entered: false }],
    ['whose next step is the last one that it has left', 'Completed', { step: 3, entered: true }],
  ])('%s is rejected', (_name, stateCode, changes) => {
    expect(() => validate(overdue(stateCode, changes), { decision: 'extend' })).toThrow(complete)
  })

  test.each(['cancel', 'keepWaiting'] as const)('is rejected with a length that %s does not have', decision => {
    const check = () => validate(overdue('ReadyForDropOff'), { decision, by: '24h' })
    expect(check).toThrow('by: must be given with the decision extend only.')
  })
})
