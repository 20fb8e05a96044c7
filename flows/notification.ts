import type { FlowOutcome, FlowShipment, FlowState } from './types.ts'

/**
 * The occasions of notifications: a stage is complete, a question is asked, a window has passed, a locker does not
 * work, the flow has ended.
 */
export const notificationTypes = [
  'flow.stageReached',
  'flow.asked',
  'flow.overdue',
  'flow.outOfService',
  'flow.ended',
] as const

export type NotificationType = (typeof notificationTypes)[number]

/** The body of a notification on the wire. It contains no personal data and no access codes. */
export interface FlowNotification {
  type: NotificationType
  /** The time of the occasion; ISO 8601 in UTC. */
  timestamp: string
  data: {
    flow: string
    caseNo: string
    /** The `runId` of `Started`. A case that is started again has another one. */
    runId: string
    /** Counts the notifications of the run from 1. They are sent concurrently and can arrive in any order. */
    sequence: number
    /** The stage that was reached, is overdue, or in which the flow ended; null after the last and before the first. */
    stage: string | null
    state: FlowState
    /** In `flow.asked`, and in `flow.overdue` of a question: who has to answer, and the names of the answers. */
    asks?: { who: string; answers: string[] }
    /** In `flow.ended`; failed for a booking that failed. */
    outcome?: FlowOutcome | 'failed'
    /** In `flow.ended` with outcome failed: the code of the failure. */
    code?: string
    shipments: FlowShipment[]
    /** While the state is overdue, if the worker makes links: a page for each decision, without an account. */
    links?: DecisionLinks
  }
}

/** Secret addresses: a caller that has one can decide, once. */
export interface DecisionLinks {
  extend: string
  cancel: string
  keepWaiting: string
  /** ISO 8601 in UTC. */
  expiresAt: string
}
