import { describe, expect, test } from 'vitest'
import type { PlannedAsk, PlannedCall, PlannedRun, PlannedSleep, PlannedStep } from '#flows'
import { nextAction, type Signals } from '../../workflows/next.ts'
import { createPending, type Pending } from '../../workflows/pending.ts'
import type { FlowProgress } from '../../workflows/progress.ts'
import { rootOf, startToken } from '../../workflows/tokens.ts'
import {
  changeProgress,
  heldIn,
  issueSteps,
  type ProgressChanges,
  progressIn,
  progressOf,
} from '../support/flows/progress.ts'

const [, dropOff, pickUp] = issueSteps
const waiting = 'ReadyForDropOff'
const none: Signals = {
  cancelled: false,
  poll: false,
  work: [],
  resolving: [],
  isFull: false,
  isPolling: false,
  continueAsNew: false,
}
/** An action without its token or work. */
type Action = { readonly kind: ReturnType<typeof nextAction>['kind'] } & Readonly<Record<string, unknown>>
const reached: Action = { kind: 'advance', to: 2, cause: 'reached' }
const cancelled: Action = { kind: 'end', ending: { outcome: 'cancelled' } }
const atDeadline = { kind: 'deadline', step: dropOff } as const
const broken = (state: string) => ({ ...heldIn(state), lockerOutOfService: true as const })
const wait = (until: number | null | undefined, summary: string): Action => ({ kind: 'wait', until, summary })
const outages = [{ token: '', step: 1, asked: false }]
/** The end of a poll wakes the flow. */
const polling = wait(undefined, '')
const unconfirmed = { unconfirmed: { claims: [], polls: 1, nextPoll: 5_000 } }

interface Row {
  readonly name: string
  readonly state?: string
  readonly changes?: ProgressChanges
  readonly signals?: Partial<Signals>
  readonly now?: number
  readonly action: Action
}

const rows: Row[] = [
  { name: 'enters a new stage', changes: { entered: false }, action: { kind: 'enter', step: dropOff } },
  {
    name: 'enters the stage of its index',
    state: 'ReadyForPickup',
    changes: { step: 2, entered: false },
    action: { kind: 'enter', step: pickUp },
  },
  { name: 'advances from a reached stage', state: 'ReadyForPickup', action: reached },
  { name: 'advances from a state that can only follow', state: 'Completed', action: reached },
  {
    name: 'advances before it enters the stage',
    state: 'Completed',
    changes: { entered: false },
    action: reached,
  },
  {
    name: 'advances from a reached stage although it is cancelled',
    state: 'ReadyForPickup',
    signals: { cancelled: true },
    action: reached,
  },
  {
    name: 'ends after the last stage',
    state: 'Completed',
    changes: { step: 3 },
    action: { kind: 'end', ending: { outcome: 'completed' } },
  },
  { name: 'ends when it is cancelled', signals: { cancelled: true }, action: cancelled },
  {
    name: 'ends when its shipment is cancelled',
    state: 'Cancelled',
    action: cancelled,
  },
  { name: 'waits for the poll when it is earlier', action: wait(10_000, 'dropOff: next poll of the service') },
  {
    name: 'waits for the deadline when it is earlier',
    changes: { nextPoll: 70_000 },
    action: wait(60_000, 'window of dropOff'),
  },
  {
    name: 'waits for the deadline when both are equal',
    changes: { nextPoll: 60_000 },
    action: wait(60_000, 'window of dropOff'),
  },
  {
    name: 'waits for the deadline without polls',
    changes: { nextPoll: null },
    action: wait(60_000, 'window of dropOff'),
  },
  {
    name: 'waits for the poll without a deadline',
    changes: { deadline: null },
    action: wait(10_000, 'dropOff: next poll of the service'),
  },
  {
    name: 'waits for a message without both',
    changes: { deadline: null, nextPoll: null },
    action: wait(null, ''),
  },
  {
    name: 'waits a millisecond before the poll',
    now: 9_999,
    action: wait(10_000, 'dropOff: next poll of the service'),
  },
  { name: 'polls at its moment', now: 10_000, action: { kind: 'poll' } },
  { name: 'polls on a hint', signals: { poll: true }, action: { kind: 'pollOnHint' } },
  {
    name: 'polls on a hint before a poll that is due',
    signals: { poll: true },
    now: 10_000,
    action: { kind: 'pollOnHint' },
  },
  {
    name: 'waits a millisecond before the poll that confirms a callback',
    changes: unconfirmed,
    now: 4_999,
    action: wait(5_000, 'dropOff: next poll of the service'),
  },
  {
    name: 'polls at the moment that confirms a callback',
    changes: unconfirmed,
    now: 5_000,
    action: { kind: 'pollOnHint' },
  },
  {
    name: 'waits a millisecond before the deadline',
    changes: { nextPoll: null },
    now: 59_999,
    action: wait(60_000, 'window of dropOff'),
  },
  { name: 'acts on the deadline at its moment', changes: { nextPoll: null }, now: 60_000, action: atDeadline },
  { name: 'acts on the deadline before a due poll', now: 60_000, action: atDeadline },
  { name: 'acts on the deadline before a hint', now: 60_000, signals: { poll: true }, action: atDeadline },
  {
    name: 'ends before the deadline when it is cancelled',
    now: 60_000,
    signals: { cancelled: true },
    action: cancelled,
  },
  {
    name: 'goes on at the deadline when the stage is reached',
    state: 'ReadyForPickup',
    now: 60_000,
    action: reached,
  },
  {
    name: 'ends before the deadline when its shipment is cancelled',
    state: 'Cancelled',
    now: 60_000,
    action: cancelled,
  },
  { name: 'leaves the timer while it polls', signals: { isPolling: true }, action: polling },
  { name: 'waits with the deadline while it polls', signals: { isPolling: true }, now: 60_000, action: polling },
  {
    name: 'waits with the poll on a hint while it polls',
    signals: { isPolling: true, poll: true },
    now: 10_000,
    action: polling,
  },
  {
    name: 'goes on while it polls',
    state: 'ReadyForPickup',
    signals: { isPolling: true },
    action: reached,
  },
  {
    name: 'waits for the end of the poll before it ends',
    signals: { isPolling: true, cancelled: true },
    action: polling,
  },
  {
    name: 'waits for the end of the poll after the last stage',
    state: 'Completed',
    changes: { step: 3 },
    signals: { isPolling: true },
    action: polling,
  },
  {
    name: 'does not book while it polls',
    changes: { step: 0, entered: false },
    signals: { isPolling: true },
    action: polling,
  },
  {
    name: 'enters another step while it polls',
    changes: { entered: false },
    signals: { isPolling: true },
    action: { kind: 'enter', step: dropOff },
  },
  {
    name: 'acts on a locker out of service before a due deadline and poll',
    changes: { shipments: [broken(waiting)] },
    now: 60_000,
    action: { kind: 'outOfService', step: dropOff },
  },
  {
    name: 'acts on one of two lockers',
    changes: { shipments: [heldIn(waiting), { ...broken(waiting), role: 'other' }] },
    action: { kind: 'outOfService', step: dropOff },
  },
  {
    name: 'acts on it once in a stage',
    changes: { shipments: [broken(waiting)], outages },
    action: wait(10_000, 'dropOff: next poll of the service'),
  },
  {
    name: 'acts on it again in the next stage',
    changes: { shipments: [broken('ReadyForPickup')], outages, step: 2 },
    action: { kind: 'outOfService', step: pickUp },
  },
  {
    name: 'enters the stage before',
    changes: { shipments: [broken(waiting)], entered: false },
    action: { kind: 'enter', step: dropOff },
  },
  {
    name: 'advances although the locker is out of service',
    changes: { shipments: [broken('ReadyForPickup')] },
    action: reached,
  },
  {
    name: 'acts on a locker that is in service again',
    changes: { outages },
    action: { kind: 'inService', step: dropOff },
  },
  {
    name: 'ignores the locker of an ended shipment',
    state: 'ReadyForPickup',
    changes: { shipments: [heldIn(waiting), { ...broken('Completed'), role: 'other' }] },
    action: wait(10_000, 'dropOff: next poll of the service'),
  },
  { name: 'waits in an unknown state', state: 'Lost', action: wait(10_000, 'dropOff: next poll of the service') },
]

/** The action without its token, which must be that of the flow, or the one whose work it is about. */
function nextOf(progress: FlowProgress, signals: Partial<Signals> | undefined, now: number): Action {
  const { token, pending, work, ...action } = nextAction(progress, { ...none, ...signals }, now) as Action
  expect(token ?? rootOf(progress)).toBe(rootOf(progress))
  expect(pending).toBe(signals?.work?.find(({ outcome }) => outcome !== undefined))
  if (action.kind === 'stop') expect(work).toEqual(signals?.work?.filter(({ stopRequested }) => !stopRequested))
  return action as Action
}

describe('the next action of a flow', () => {
  test.each(rows)('$name', ({ state = waiting, changes, signals, now = 0, action }) => {
    expect(nextOf(progressOf(state, changes), signals, now)).toEqual(action)
  })

  test('is decided without a change of the progress', () => {
    const progress = progressOf(waiting)
    const before = structuredClone(progress)
    for (const now of [0, 10_000, 60_000]) nextAction(progress, none, now)
    expect(progress).toEqual(before)
  })
})

const common = { summary: 'Work is done.', cancels: [] }
const quote: PlannedAsk = {
  ...common,
  name: 'quote',
  kind: 'ask',
  who: 'staff',
  answers: { priced: { cents: 'integer' } },
  window: { length: 60_000 },
  onTimeout: 'remind',
}
const repair: PlannedRun = {
  ...common,
  name: 'repair',
  kind: 'run',
  activity: 'repair',
  with: null,
  keep: {},
  undo: 'nothing',
  timeout: 1_000,
  window: 60_000,
  retry: {},
}
const night: PlannedSleep = { ...common, name: 'night', kind: 'sleep', until: { length: 60_000 } }
const answered = { quote: { by: null, at: '' } }
const last: PlannedStep = { ...repair, name: 'last', when: { 'quote.answer': 'priced' } }
const flow = [quote, repair, night, last]

/** The work of the flow's one token in this step. */
function workIn(step: number, changes: Partial<Pending> = {}): Pending[] {
  return [{ ...createPending(startToken('', null, step, flow.length, 0)), ...changes }]
}

const otherKinds: (Row & { readonly step: number })[] = [
  { name: 'waits for an answer until its window ends', step: 0, action: wait(60_000, 'window of quote') },
  { name: 'goes on after an answer', step: 0, changes: { answered }, action: to(1) },
  {
    name: 'goes on after an answer although its window has passed',
    step: 0,
    changes: { answered },
    now: 60_000,
    action: to(1),
  },
  { name: 'acts on the deadline of a question', step: 0, now: 60_000, action: { kind: 'deadline', step: quote } },
  { name: 'starts work', step: 1, changes: { entered: false }, action: { kind: 'enter', step: repair } },
  {
    name: 'waits for work without a timer of its own',
    step: 1,
    signals: { work: workIn(1) },
    now: 90_000,
    action: wait(null, ''),
  },
  {
    name: 'polls while work is under way',
    step: 1,
    changes: { nextPoll: 5_000 },
    signals: { work: workIn(1) },
    now: 5_000,
    action: { kind: 'poll' },
  },
  {
    name: 'settles work that has ended, although it is cancelled',
    step: 1,
    signals: { cancelled: true, work: workIn(1, { outcome: { kind: 'done', output: {} } }) },
    action: { kind: 'settle', outcome: { kind: 'done', output: {} } },
  },
  {
    name: 'stops work when it is cancelled',
    step: 1,
    signals: { cancelled: true, work: workIn(1) },
    action: { kind: 'stop' },
  },
  {
    name: 'waits for the end of stopped work',
    step: 1,
    changes: { nextPoll: 5_000 },
    signals: { cancelled: true, work: workIn(1, { stopRequested: true }) },
    now: 5_000,
    action: wait(null, ''),
  },
  { name: 'sleeps until its moment', step: 2, action: wait(60_000, 'end of night') },
  { name: 'sleeps a millisecond before its moment', step: 2, now: 59_999, action: wait(60_000, 'end of night') },
  {
    name: 'sleeps until a calendar has named its moment',
    step: 2,
    changes: { deadline: null, resolving: true },
    action: wait(null, ''),
  },
  { name: 'wakes at its moment', step: 2, now: 60_000, action: to(3) },
  {
    name: 'does not wake before it sleeps',
    step: 2,
    changes: { entered: false },
    now: 60_000,
    action: { kind: 'enter', step: night },
  },
  {
    name: 'leaves a step out',
    step: 3,
    changes: { entered: false },
    action: { kind: 'advance', to: 4, cause: 'skipped' },
  },
  {
    name: 'enters a step whose condition holds',
    step: 3,
    changes: { entered: false, outputs: { quote: { answer: 'priced' } } },
    action: { kind: 'enter', step: last },
  },
  {
    name: 'stays in a step that it has entered, whatever its condition',
    step: 3,
    signals: { work: workIn(3) },
    action: wait(null, ''),
  },
  {
    name: 'continues as new between two steps',
    step: 1,
    changes: { entered: false },
    signals: { continueAsNew: true },
    action: { kind: 'continueAsNew' },
  },
  {
    name: 'ends rather than continues as new',
    step: 1,
    changes: { entered: false },
    signals: { continueAsNew: true, cancelled: true },
    action: cancelled,
  },
  {
    name: 'goes on with its end in the next run',
    step: 1,
    changes: { ending: { outcome: 'expired' } },
    action: { kind: 'end', ending: { outcome: 'expired' } },
  },
  {
    name: 'ends when a shipment of an earlier booking is cancelled that the result needs',
    step: 0,
    changes: { shipments: [heldIn('Cancelled')] },
    action: cancelled,
  },
]

function to(step: number): Action {
  return { kind: 'advance', to: step, cause: 'reached' }
}

describe('the next action in other kinds of steps', () => {
  test.each(otherKinds)('$name', ({ step, changes, signals, now = 0, action }) => {
    expect(nextOf(progressIn(flow, step, changes), signals, now)).toEqual(action)
  })

  test('a shipment that no later step awaits may be cancelled from outside', () => {
    const steps = [...issueSteps, quote]
    const progress = progressIn(steps, 3, { shipments: [heldIn('Cancelled')] })
    expect(nextOf(progress, none, 0)).toEqual(wait(60_000, 'window of quote'))
    expect(nextOf(changeProgress(progress, { step: 2 }), none, 0)).toEqual(cancelled)
  })

  test('a shipment that the flow cancels by a call is needed no longer, once the call is under way', () => {
    const request = { shipmentUid: { from: 'issue.shipmentUid' } }
    const giveUp: PlannedCall = {
      ...common,
      name: 'giveUp',
      kind: 'call',
      operation: 'CancelShipment',
      request,
      window: 0,
    }
    const progress = progressIn([...issueSteps.slice(0, 1), giveUp, dropOff], 1, { shipments: [heldIn('Cancelled')] })
    const calling = { ...none, work: workIn(1) }
    expect(nextOf(progress, calling, 0)).toMatchObject({ kind: 'wait' })
    expect(nextOf(changeProgress(progress, { entered: false }), none, 0)).toEqual(cancelled)
    const after = changeProgress(progress, { step: 2, entered: false })
    expect(nextOf(changeProgress(after, { outputs: { giveUp: {} } }), none, 0)).toMatchObject({ kind: 'enter' })
    // The call was left out, or its refusal tolerated: another program has cancelled the shipment.
    expect(nextOf(after, none, 0)).toEqual(cancelled)
    const refused = { giveUp: { error: 'InvalidShipmentState' } }
    expect(nextOf(changeProgress(after, { outputs: refused }), none, 0)).toEqual(cancelled)
  })

  test('a shipment that ends with one that the flow cancels is needed no longer, and its own call follows', () => {
    const call = { ...common, kind: 'call', operation: 'CancelShipment', window: 0 } as const
    const free = (role: string) => ({ shipmentUid: { from: `${role}.shipmentUid` } })
    const first: PlannedCall = { ...call, name: 'first', request: free('issue'), ends: ['intake'] }
    const second: PlannedCall = { ...call, name: 'second', request: free('intake') }
    const shipments = [heldIn('Cancelled'), { ...heldIn('Cancelled'), role: 'intake', shipmentUid: 's-2' }]
    const progress = progressIn([...issueSteps.slice(0, 1), first, second], 2, { shipments, entered: false })
    expect(nextOf(changeProgress(progress, { outputs: { first: {} } }), none, 0)).toMatchObject({ kind: 'enter' })
    const running = changeProgress(progress, { step: 1, entered: true })
    expect(nextOf(running, { ...none, work: workIn(1) }, 0)).toMatchObject({ kind: 'wait' })
    // Another program has cancelled both, or the flow began before the plan named the roles that a call ends.
    expect(
      nextOf(changeProgress(progress, { outputs: { first: { error: 'InvalidShipmentState' } } }), none, 0),
    ).toEqual(cancelled)
    const { ends: _, ...older } = first
    const before = progressIn([...issueSteps.slice(0, 1), older, second], 2, { shipments, entered: false })
    expect(nextOf(changeProgress(before, { outputs: { first: {} } }), none, 0)).toEqual(cancelled)
  })

  test('a shipment whose uid a later step sends may not', () => {
    const label: PlannedRun = { ...repair, with: { device: { from: 'issue.shipmentUid' } } }
    const progress = progressIn([...issueSteps, quote, label], 3, { shipments: [heldIn('Cancelled')] })
    expect(nextOf(progress, none, 0)).toEqual(cancelled)
    const running = changeProgress(progress, { step: 4, deadline: null })
    expect(nextOf(running, { ...none, work: workIn(4) }, 0)).toMatchObject({ kind: 'wait' })
  })
})
