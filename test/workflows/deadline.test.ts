import { ApplicationFailure } from '@temporalio/common'
import { describe, expect, test } from 'vitest'
import { fullProfile } from '#contract/terms'
import type { FlowState, PlannedWait } from '#flows'
import { createContext, type PlannedFlow, stateOf } from '../../workflows/context.ts'
import { onDeadline } from '../../workflows/deadline.ts'
import type { Ending } from '../../workflows/progress.ts'
import type { RunInfo, Runtime, StepOutcome } from '../../workflows/runtime.ts'
import { isOverdue, rootOf, type Token } from '../../workflows/tokens.ts'
import { heldIn, issueSteps, type ProgressChanges, planOf, progressOf } from '../support/flows/progress.ts'

const [booking, dropOff, pickUp] = issueSteps
const unreadable = { ...fullProfile, reads: false, readsByCase: false }
const now = 60_000
const retryAt = now + 60_000

interface Row {
  readonly name: string
  readonly step?: Partial<PlannedWait>
  readonly changes?: ProgressChanges
  readonly expected: Partial<Token>
  readonly ending?: Ending
  readonly state?: FlowState
  readonly counted?: readonly StepOutcome[]
}

const nothing = { step: 1, deadline: now }
const goTo = { goTo: 'pickUp' } as const

const rows: readonly Row[] = [
  {
    name: 'ends the flow',
    expected: nothing,
    ending: { outcome: 'expired' },
    state: 'cleaningUp',
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
    expected: { step: 1, deadline: null, overdueSince: now },
    state: 'overdue',
    counted: ['overdue'],
  },
  {
    name: 'reminds, and starts the window again',
    step: { onTimeout: 'remind' },
    expected: { step: 1, deadline: now + 60_000, overdueSince: now },
    state: 'overdue',
    counted: ['overdue'],
  },
  {
    name: 'reminds again, and is overdue since the first time',
    step: { onTimeout: 'remind' },
    changes: { overdueSince: 5 },
    expected: { step: 1, deadline: now + 60_000, overdueSince: 5 },
    state: 'overdue',
    counted: ['overdue'],
  },
  {
    name: 'is overdue since its end, if no worker ran then',
    step: { onTimeout: 'remind' },
    changes: { deadline: 7 },
    expected: { deadline: now + 60_000, overdueSince: 7 },
    state: 'overdue',
    counted: ['overdue'],
  },
  {
    name: 'reminds once at the end of a window that ends at a moment',
    step: { onTimeout: 'remind', window: { moment: now } },
    expected: { step: 1, deadline: null, overdueSince: now },
    state: 'overdue',
    counted: ['overdue'],
  },
]

/** A flow in the drop off, and what it has counted. The service has the states in their order; undefined is no response. */
function start(step: PlannedWait, changes: ProgressChanges, profile = unreadable, states: (string | undefined)[] = []) {
  const outcomes: StepOutcome[] = []
  const runtime: Partial<Runtime> = {
    now: () => now,
    info: () => ({ historyLength: 1 }) as RunInfo,
    isCancelRequested: () => false,
    record: () => {},
    countStep: (_, outcome) => outcomes.push(outcome),
    async activity() {
      const state = states.shift()
      if (state === undefined) throw ApplicationFailure.create({ type: 'ServiceUnavailable' })
      return [heldIn(state)]
    },
  }
  const flow = createContext(runtime as Runtime, { workflowType: 'issue' } as RunInfo, { caseNo: '1', request: {} })
  const plan = planOf([booking, step, pickUp], { profile })
  const planned: PlannedFlow = Object.assign(flow, { progress: progressOf('ReadyForDropOff', { plan, ...changes }) })
  return { flow: planned, token: rootOf(planned.progress), outcomes }
}

/** What a window has changed. */
function seen({ flow, token, outcomes }: ReturnType<typeof start>) {
  return { token, ending: flow.progress.ending, state: stateOf(flow), outcomes }
}

describe('the end of a window', () => {
  test.each(rows)('$name', ({ step: declared, changes = {}, expected, ending, state = 'waiting', counted = [] }) => {
    const step = { ...dropOff, ...declared }
    const started = start(step, changes)
    onDeadline(started.flow, started.token, step)
    const { token, ...rest } = seen(started)
    expect(token).toMatchObject(expected)
    expect(isOverdue(token)).toBe(state === 'overdue')
    expect(rest).toEqual({ ending, state, outcomes: counted })
  })
})

describe('the end of a window, if the service can be read', () => {
  const ask = { ...dropOff, onTimeout: 'ask' } as const

  async function pass(step: PlannedWait, changes: ProgressChanges, states: (string | undefined)[] = []) {
    const started = start(step, changes, fullProfile, states)
    const { flow, token } = started
    onDeadline(flow, token, step)
    const before = structuredClone(seen(started))
    const hasPolled = flow.isPolling
    while (flow.isPolling) await Promise.resolve()
    return { ...started, before, hasPolled, step }
  }

  test.each([dropOff, ask])('changes nothing before a poll has ended that it starts: $onTimeout', async step => {
    const { before, hasPolled, flow } = await pass(step, {}, ['ReadyForPickup'])
    expect(hasPolled).toBe(true)
    expect(before).toEqual({
      token: expect.objectContaining(nothing),
      ending: undefined,
      state: 'waiting',
      outcomes: [],
    })
    expect(flow.progress.lockers.shipments).toMatchObject([{ stateCode: 'ReadyForPickup' }])
    expect(flow.needsEvaluation).toBe(true)
  })

  test('applies the policy after the poll', async () => {
    const started = await pass(dropOff, {}, ['ReadyForDropOff'])
    onDeadline(started.flow, started.token, dropOff)
    expect(seen(started)).toMatchObject({ ending: { outcome: 'expired' }, outcomes: ['timedOut'] })
    expect(started.flow.isPolling).toBe(false)
  })

  test.each([
    ['before its end is not enough', now - 1, true],
    ['at its end is enough', now, false],
  ])('a poll that began %s', async (_, polledAt, hasToPoll) => {
    const { hasPolled } = await pass(dropOff, { polledAt }, ['ReadyForDropOff'])
    expect(hasPolled).toBe(hasToPoll)
  })

  test.each([dropOff, { ...dropOff, onTimeout: goTo }])(
    'tries again a minute after a poll without a response',
    async step => {
      const started = await pass(step, {})
      onDeadline(started.flow, started.token, step)
      expect(seen(started)).toEqual({
        token: expect.objectContaining({ ...nothing, deadline: retryAt }),
        ending: undefined,
        state: 'waiting',
        outcomes: [],
      })
    },
  )

  test('asks a person without a response too', async () => {
    const started = await pass(ask, {})
    onDeadline(started.flow, started.token, ask)
    expect(seen(started)).toMatchObject({ state: 'overdue', outcomes: ['overdue'] })
  })

  test('repeats the poll for a minute before it counts as one without a response', async () => {
    const started = await pass(dropOff, {}, [undefined, 'ReadyForDropOff'])
    onDeadline(started.flow, started.token, dropOff)
    expect(started.flow.progress.ending).toEqual({ outcome: 'expired' })
  })
})
