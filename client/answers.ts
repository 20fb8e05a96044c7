import type { Booked as BookedShipments, CancelAnswer, FlowResult, FlowStatus, LeftOver } from '#contract/terms'

/** A flow runs: a new one, or the same one that was started before. */
export interface Started {
  readonly kind: 'Started'
  readonly caseNo: string
  readonly runId: string
  readonly isNew: boolean
}

/** The booking is made. */
export interface Booked extends BookedShipments {
  readonly kind: 'Booked'
}

/** No answer within the caller's deadline; the flow goes on, `status` and `result` tell more. */
export interface BookingPending {
  readonly kind: 'BookingPending'
  readonly caseNo: string
}

/** The case number belongs to another flow, or to the same flow with another request. */
export interface CaseInUse {
  readonly kind: 'CaseInUse'
  readonly caseNo: string
  readonly message: string
}

/** The same case was started before and has ended. */
export interface CaseFinished {
  readonly kind: 'CaseFinished'
  readonly result: FlowResult
}

/** The service or the flow said no; `code` is one of the error table, or the service's own. */
export interface Refused {
  readonly kind: 'Refused'
  readonly code: string
  readonly message: string
}

/** There is no such case, or Temporal has forgotten it. */
export interface UnknownCase {
  readonly kind: 'UnknownCase'
  readonly caseNo: string
}

export interface Ended {
  readonly kind: 'Ended'
  readonly result: FlowResult
}

/** The flow is over and cleaned up; `outcome` is completed when it was over before it could be cancelled. */
export interface Cancelled {
  readonly kind: 'Cancelled'
  readonly outcome: CancelAnswer['outcome']
  readonly leftOver: LeftOver[]
}

/** Nobody answered within the deadline; the flow is told to end, and cleans up once a worker takes it on. */
export interface CancelPending {
  readonly kind: 'CancelPending'
  readonly caseNo: string
}

export interface Decided {
  readonly kind: 'Decided'
  readonly status: FlowStatus
}

/** The service has accepted the receiver. */
export interface Assigned {
  readonly kind: 'Assigned'
  readonly status: FlowStatus
}

/** The booking that was kept is over and its locker is free, but for what is left over. */
export interface Released {
  readonly kind: 'Released'
  readonly outcome: CancelAnswer['outcome']
  readonly leftOver: LeftOver[]
}

/** The release is taken, and the service has not answered within the deadline; the flow goes on asking it. */
export interface ReleasePending {
  readonly kind: 'ReleasePending'
  readonly caseNo: string
}

export interface Status {
  readonly kind: 'Status'
  readonly status: FlowStatus
}
