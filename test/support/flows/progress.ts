import { reachability } from '#contract/machines'
import { fullProfile, type ServiceProfile } from '#contract/terms'
import type { FlowPlan, PlannedBook, PlannedStep, PlannedWait } from '#flows'
import type { FlowProgress, ShipmentProgress } from '../../../workflows/progress.ts'

const booking: PlannedBook = {
  name: 'booking',
  summary: 'A locker is booked.',
  kind: 'book',
  operation: 'CreateLocalShipmentAsIssue',
  request: { value: {} },
  roles: [{ name: 'issue', initialState: 'ReadyForDropOff', existing: false, link: null }],
  cancels: ['issue'],
  window: 3_600_000,
}

/** The steps of an issue, with windows of a minute. */
export const issueSteps: [PlannedBook, PlannedWait, PlannedWait] = [
  booking,
  {
    name: 'dropOff',
    summary: 'The dispatcher places the item in the locker.',
    kind: 'wait',
    reached: { issue: 'ReadyForPickup' },
    window: { length: 60_000 },
    onTimeout: 'cancel',
    cancels: ['issue'],
  },
  {
    name: 'pickUp',
    summary: 'The user collects the item.',
    kind: 'wait',
    reached: { issue: 'Completed' },
    window: { length: 60_000 },
    onTimeout: 'ask',
    cancels: [],
  },
]

export function planOf(steps: readonly PlannedStep[], changes: Partial<FlowPlan> = {}): FlowPlan {
  return {
    version: 2,
    flow: 'issue',
    summary: 'An item is issued to a user.',
    caseNo: 'case-1',
    fingerprint: '',
    input: {},
    steps: [...steps],
    outputs: {},
    profile: fullProfile,
    reachable: Object.fromEntries(Object.entries(reachability()).map(([from, to]) => [from, [...to]])),
    polls: { initial: 10_000, maximum: 80_000 },
    createDelay: 360_000,
    pickUpPoint: null,
    user: null,
    ...changes,
  }
}

/** The progress of an issue that waits in its first step after the booking since moment 0, and polls at moment 10000. */
export function progressOf(
  stateCode: string,
  changes: Partial<FlowProgress> = {},
  profile: ServiceProfile = fullProfile,
): FlowProgress {
  return {
    plan: planOf(issueSteps, { profile }),
    step: 1,
    entered: true,
    since: 0,
    deadline: 60_000,
    nextPoll: 10_000,
    pollCount: 0,
    overdue: false,
    shipments: [heldIn(stateCode)],
    bookings: { booking: { startedAt: 0, booked: true, duplicatesUntil: null } },
    outputs: {},
    answered: {},
    undo: [{ step: 0, state: 'done' }],
    rejections: [],
    leftOver: [],
    ...changes,
  }
}

/** The progress of a flow that has entered a step without shipments at moment 0. */
export function progressIn(
  steps: readonly PlannedStep[],
  step: number,
  changes: Partial<FlowProgress> = {},
): FlowProgress {
  return {
    ...progressOf('ReadyForDropOff'),
    plan: planOf(steps),
    step,
    nextPoll: null,
    shipments: [],
    bookings: {},
    undo: [],
    ...changes,
  }
}

export function heldIn(stateCode: string): ShipmentProgress {
  return {
    role: 'issue',
    shipmentUid: 'S1',
    stateCode,
    stateStart: '2026-01-01T12:00:00',
    pupUid: 'P1',
    lockerName: 'A1',
  }
}
