import { describe, expect, test } from 'vitest'
import { fullProfile } from '#contract/terms'
import type { FlowState, PlannedWait } from '#flows'
import { createContext, type PlannedFlow } from '../../workflows/context.ts'
import { onDeadline } from '../../workflows/deadline.ts'
import type { FlowProgress } from '../../workflows/progress.ts'
import type { RunInfo, Runtime, StepOutcome } from '../../workflows/runtime.ts'
import { issueSteps, planOf, progressOf } from '../support/flows/progress.ts'

const [booking, dropOff, pickUp] = issueSteps
const profile = { ...fullProfile, reads: false, readsByCase: false }
const now = 60_000

interface Row {
  readonly name: string
  readonly step?: Partial<PlannedWait>
  readonly stateCode?: string
  readonly changes?: (flow: PlannedFlow) => void
  readonly expected: Partial<FlowProgress>
  readonly state?: FlowState
  readonly counted?: readonly StepOutcome[]
}

const nothing = { step: 1, deadline: now, overdue: false }
const goTo = { goTo: 'pickUp', index: 2 } as const

const rows: readonly Row[] = [
  {
    name: 'ends the flow',
    expected: { ...nothing, ending: { outcome: 'expired' } },
    counted: ['timedOut'],
  },
  {
    name: 'leads to a later step',
    step: { onTimeout: goTo },
    expected: { step: 2, entered: false, deadline: null },
    counted: ['timedOut'],
  },
  {
    name: 'waits for a decision',
    step: { onTimeout: 'ask' },
    expected: { step: 1, deadline: null, overdue: true, overdueSince: now },
    state: 'overdue',
    counted: ['overdue'],
  },
  {
    name: 'reminds, and starts the window again',
    step: { onTimeout: 'remind' },
    expected: { step: 1, deadline: now + 60_000, overdue: true },
    state: 'overdue',
    counted: ['overdue'],
  },
  {
    name: 'reminds again, and is overdue since the first time',
    step: { onTimeout: 'remind' },
    changes: flow => {
      Object.assign(flow, { state: 'overdue' })
      Object.assign(flow.progress, { overdue: true, overdueSince: 5 })
    },
    expected: { step: 1, deadline: now + 60_000, overdueSince: 5 },
    state: 'overdue',
    counted: ['overdue'],
  },
  {
    name: 'is overdue since its end, if no worker ran then',
    step: { onTimeout: 'remind' },
    changes: ({ progress }) => Object.assign(progress, { deadline: 7 }),
    expected: { deadline: now + 60_000, overdueSince: 7 },
    state: 'overdue',
    counted: ['overdue'],
  },
  {
    name: 'reminds once at the end of a window that ends at a moment',
    step: { onTimeout: 'remind', window: { moment: now } },
    expected: { step: 1, deadline: null, overdue: true },
    state: 'overdue',
    counted: ['overdue'],
  },
  { name: 'does nothing if the step is complete', stateCode: 'ReadyForPickup', expected: nothing },
  {
    name: 'does nothing in a flow that a caller has cancelled',
    changes: flow => Object.assign(flow, { cancelRequested: 'cancel' }),
    expected: nothing,
  },
  { name: 'does nothing if its shipment was cancelled', stateCode: 'Cancelled', expected: nothing },
  {
    name: 'does nothing if a caller has released the booking that the step keeps',
    step: { completedBy: { update: 'release', role: 'issue' } },
    changes: flow => Object.assign(flow, { released: 'issue' }),
    expected: nothing,
  },
]

describe('the end of a window', () => {
  test.each(rows)('$name', async ({ step: declared, stateCode = 'ReadyForDropOff', changes, ...row }) => {
    const { expected, state = 'waiting', counted = [] } = row
    const step = { ...dropOff, ...declared }
    const outcomes: StepOutcome[] = []
    const runtime: Partial<Runtime> = {
      now: () => now,
      isCancelRequested: () => false,
      record: () => {},
      countStep: (_, outcome) => outcomes.push(outcome),
    }
    const flow = createContext(runtime as Runtime, { workflowType: 'issue' } as RunInfo, { caseNo: '1', request: {} })
    const plan = planOf([booking, step, pickUp], { profile })
    const planned: PlannedFlow = Object.assign(flow, { state: 'waiting', progress: progressOf(stateCode, { plan }) })
    changes?.(planned)
    await onDeadline(planned, step)
    expect(planned.progress).toMatchObject(expected)
    expect(planned.progress.ending).toEqual(expected.ending)
    expect({ state: planned.state, outcomes }).toEqual({ state, outcomes: counted })
  })
})
