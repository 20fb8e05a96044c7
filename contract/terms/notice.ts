import type { FlowOutcome, FlowShipment, FlowState } from './flow.ts'

/** What a notice is about: a stage's shipments are where they had to be, a window passed, the flow is over. */
export const noticeTypes = ['flow.stageReached', 'flow.overdue', 'flow.ended'] as const

export type NoticeType = (typeof noticeTypes)[number]

/** The body of a notice, as it goes over the wire. Nothing personal, and no codes that open lockers. */
export interface Notice {
  type: NoticeType
  /** When it came about; ISO 8601 in UTC. */
  timestamp: string
  data: {
    flow: string
    caseNo: string
    /** Counts the notices of the flow from 1: they are sent side by side, and can come in any order. */
    sequence: number
    /** The stage that was reached, is overdue, or in which the flow ended; null after the last, and before the first. */
    stage: string | null
    state: FlowState
    /** In `flow.ended`; failed is a booking that was not made. */
    outcome?: FlowOutcome | 'failed'
    /** In a `flow.ended` that failed: the code of the failure. */
    code?: string
    shipments: FlowShipment[]
  }
}
