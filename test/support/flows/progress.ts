import { reachability } from '#contract/machines'
import { fullProfile, type ServiceProfile } from '#contract/terms'
import type { FlowPlan, PlannedBook, PlannedStep, PlannedWait } from '#flows'
import type { FlowProgress, LockerState, ShipmentProgress } from '../../../workflows/progress.ts'
import { rootOf, type Token } from '../../../workflows/tokens.ts'

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
    version: 3,
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

/** Changes of a progress, those of its one token and of its lockers among them. */
export type ProgressChanges = Partial<Omit<FlowProgress, 'tokens' | 'lockers'>> & Partial<Token> & Partial<LockerState>

const tokenFields: readonly string[] = [
  'id',
  'up',
  'to',
  'step',
  'entered',
  'since',
  'deadline',
  'resolving',
  'overdueSince',
  'overdueNotice',
] satisfies (keyof Token)[]

const lockerFields: readonly string[] = [
  'nextPoll',
  'pollCount',
  'polledAt',
  'unconfirmed',
  'calledBack',
  'shipments',
  'bookings',
  'bookingFailure',
  'outages',
] satisfies (keyof LockerState)[]

/** A copy of the progress of a flow with one token. A token without another end goes to that of the plan. */
export function changeProgress(progress: FlowProgress, changes: ProgressChanges): FlowProgress {
  const pick = (isPicked: (name: string) => boolean) =>
    Object.fromEntries(Object.entries(changes).filter(([name]) => isPicked(name)))
  const { plan = progress.plan } = changes
  return {
    ...progress,
    ...pick(name => !tokenFields.includes(name) && !lockerFields.includes(name)),
    tokens: [{ ...rootOf(progress), to: plan.steps.length, ...pick(name => tokenFields.includes(name)) }],
    lockers: { ...progress.lockers, ...pick(name => lockerFields.includes(name)) },
  }
}

/** The progress of an issue that waits in its first step after the booking since moment 0, and polls at moment 10000. */
export function progressOf(
  stateCode: string,
  changes: ProgressChanges = {},
  profile: ServiceProfile = fullProfile,
): FlowProgress {
  const plan = planOf(issueSteps, { profile })
  const waiting: FlowProgress = {
    plan,
    tokens: [{ id: '', up: null, to: plan.steps.length, step: 1, entered: true, since: 0, deadline: 60_000 }],
    lockers: {
      nextPoll: 10_000,
      pollCount: 0,
      shipments: [heldIn(stateCode)],
      bookings: { booking: { startedAt: 0, booked: true, duplicatesUntil: null } },
    },
    outputs: {},
    answered: {},
    undo: [{ step: 0, state: 'done' }],
    rejections: [],
    leftOver: [],
  }
  return changeProgress(waiting, changes)
}

/** The progress of a flow that has entered a step without shipments at moment 0. */
export function progressIn(steps: readonly PlannedStep[], step: number, changes: ProgressChanges = {}): FlowProgress {
  return progressOf('ReadyForDropOff', {
    plan: planOf(steps),
    step,
    nextPoll: null,
    shipments: [],
    bookings: {},
    undo: [],
    ...changes,
  })
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
