import { fullProfile, type ServiceProfile } from '#contract/terms'
import type { PlannedStage } from '#flows'
import { reachability } from '#machines'
import type { FlowProgress, HeldShipment } from '../../../workflows/context.ts'

/** The stages of an issue, with windows of a minute. */
export const stages: [PlannedStage, PlannedStage] = [
  {
    name: 'dropOff',
    summary: 'The dispatcher places the item in the locker.',
    reached: { issue: 'ReadyForPickup' },
    window: 60_000,
    onTimeout: 'cancel',
    cancels: ['issue'],
    completedBy: null,
  },
  {
    name: 'pickUp',
    summary: 'The user collects the item.',
    reached: { issue: 'Completed' },
    window: 60_000,
    onTimeout: 'ask',
    cancels: [],
    completedBy: null,
  },
]

/** The progress of an issue that waits in its first stage since moment 0 and polls at moment 10000. */
export function progressOf(
  stateCode: string,
  changes: Partial<FlowProgress> = {},
  profile: ServiceProfile = fullProfile,
): FlowProgress {
  return {
    plan: {
      flow: 'issue',
      caseNo: 'case-1',
      fingerprint: '',
      operation: 'CreateLocalShipmentAsIssue',
      request: {},
      roles: [{ name: 'issue', initialState: 'ReadyForDropOff', existing: false, link: null }],
      stages: [...stages],
      outputs: {},
      bookingWindow: 3_600_000,
      profile,
      reachable: Object.fromEntries(Object.entries(reachability()).map(([from, to]) => [from, [...to]])),
      pollInterval: { initial: 10_000, maximum: 80_000 },
      pickUpPoint: null,
      user: null,
    },
    stage: 0,
    stageEntered: true,
    since: 0,
    deadline: 60_000,
    nextPoll: 10_000,
    pollCount: 0,
    overdue: false,
    shipments: [heldIn(stateCode)],
    rejections: [],
    ...changes,
  }
}

export function heldIn(stateCode: string): HeldShipment {
  return {
    role: 'issue',
    shipmentUid: 'S1',
    stateCode,
    stateStart: '2026-01-01T12:00:00',
    pupUid: 'P1',
    lockerName: 'A1',
  }
}
