import { describe, expect, test } from 'vitest'
import { type Action, nextAction, type Requests } from '../../../workflows/stages/next.ts'
import { heldIn, progressOf, stages } from '../../support/flows/progress.ts'

const [dropOff, pickUp] = stages
const waiting = 'ReadyForDropOff'
const none: Requests = { cancelled: false, released: false, poll: false }
const atDeadline = { kind: 'deadline', stage: dropOff } as const
const broken = (state: string) => ({ ...heldIn(state), lockerOutOfService: true as const })
const wait = (until: number | null, summary: string): Action => ({ kind: 'wait', until, summary })

type Changes = Parameters<typeof progressOf>[1]
interface Row {
  readonly name: string
  readonly state?: string
  readonly changes?: Changes
  readonly requests?: Partial<Requests>
  readonly now?: number
  readonly action: Action
}

const rows: Row[] = [
  { name: 'enters a new stage', changes: { stageEntered: false }, action: { kind: 'enterStage', stage: dropOff } },
  {
    name: 'enters the stage of its index',
    state: 'ReadyForPickup',
    changes: { stage: 1, stageEntered: false },
    action: { kind: 'enterStage', stage: pickUp },
  },
  { name: 'advances from a reached stage', state: 'ReadyForPickup', action: { kind: 'advance' } },
  { name: 'advances from a state that can only follow', state: 'Completed', action: { kind: 'advance' } },
  {
    name: 'advances before it enters the stage',
    state: 'Completed',
    changes: { stageEntered: false },
    action: { kind: 'advance' },
  },
  {
    name: 'advances from a reached stage although it is cancelled',
    state: 'ReadyForPickup',
    requests: { cancelled: true },
    action: { kind: 'advance' },
  },
  {
    name: 'ends after the last stage',
    state: 'Completed',
    changes: { stage: 2 },
    action: { kind: 'end', outcome: 'completed' },
  },
  { name: 'ends when it is cancelled', requests: { cancelled: true }, action: { kind: 'end', outcome: 'cancelled' } },
  {
    name: 'ends when its shipment is cancelled',
    state: 'Cancelled',
    action: { kind: 'end', outcome: 'cancelled' },
  },
  { name: 'ends when it is released', requests: { released: true }, action: { kind: 'end', outcome: 'completed' } },
  {
    name: 'completes when a release came before the cancellation',
    requests: { released: true, cancelled: true },
    action: { kind: 'end', outcome: 'completed' },
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
    action: wait(null, 'dropOff: next poll of the service'),
  },
  {
    name: 'waits a millisecond before the poll',
    now: 9_999,
    action: wait(10_000, 'dropOff: next poll of the service'),
  },
  { name: 'polls at its moment', now: 10_000, action: { kind: 'poll' } },
  { name: 'polls on a hint', requests: { poll: true }, action: { kind: 'pollOnHint' } },
  {
    name: 'polls on a hint before a poll that is due',
    requests: { poll: true },
    now: 10_000,
    action: { kind: 'pollOnHint' },
  },
  { name: 'acts on the deadline at its moment', changes: { nextPoll: null }, now: 60_000, action: atDeadline },
  { name: 'acts on the deadline before a due poll', now: 60_000, action: atDeadline },
  { name: 'acts on the deadline before a hint', now: 60_000, requests: { poll: true }, action: atDeadline },
  {
    name: 'ends before the deadline when it is cancelled',
    now: 60_000,
    requests: { cancelled: true },
    action: { kind: 'end', outcome: 'cancelled' },
  },
  {
    name: 'acts on a locker out of service before a due deadline and poll',
    changes: { shipments: [broken(waiting)] },
    now: 60_000,
    action: { kind: 'outOfService', stage: dropOff },
  },
  {
    name: 'acts on it once in a stage',
    changes: { shipments: [broken(waiting)], outOfService: { stage: 0, asked: false } },
    action: wait(10_000, 'dropOff: next poll of the service'),
  },
  {
    name: 'acts on it again in the next stage',
    changes: { shipments: [broken('ReadyForPickup')], outOfService: { stage: 0, asked: false }, stage: 1 },
    action: { kind: 'outOfService', stage: pickUp },
  },
  {
    name: 'enters the stage before',
    changes: { shipments: [broken(waiting)], stageEntered: false },
    action: { kind: 'enterStage', stage: dropOff },
  },
  {
    name: 'advances although the locker is out of service',
    changes: { shipments: [broken('ReadyForPickup')] },
    action: { kind: 'advance' },
  },
  {
    name: 'acts on a locker that is in service again',
    changes: { outOfService: { stage: 0, asked: false } },
    action: { kind: 'inService', stage: dropOff },
  },
  {
    name: 'ignores the locker of an ended shipment',
    state: 'ReadyForPickup',
    changes: { shipments: [heldIn(waiting), { ...broken('Completed'), role: 'other' }] },
    action: wait(10_000, 'dropOff: next poll of the service'),
  },
  { name: 'waits in an unknown state', state: 'Lost', action: wait(10_000, 'dropOff: next poll of the service') },
]

describe('the next action of a flow', () => {
  test.each(rows)('$name', ({ state = waiting, changes, requests, now = 0, action }) => {
    expect(nextAction(progressOf(state, changes), { ...none, ...requests }, now)).toEqual(action)
  })

  test('is decided without a change of the progress', () => {
    const progress = progressOf(waiting)
    const before = structuredClone(progress)
    for (const now of [0, 10_000, 60_000]) nextAction(progress, none, now)
    expect(progress).toEqual(before)
  })
})
