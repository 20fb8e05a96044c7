import type { Duration } from './windows.ts'

/** What a window's passing leads to: a reminder and another window, the end of the flow, or a person's decision. */
export type WindowAnswer = 'remind' | 'cancel' | 'ask'

/** The one argument of every flow. */
export interface FlowInput {
  /** 1 to 60 characters, unique for as long as the namespace keeps closed workflows. */
  caseNo: string
  /** The create operation's request, exactly as the specification spells it. */
  request: Record<string, unknown>
  /** Stage name to duration; `booking` counts from the start of the flow. */
  windows?: Record<string, Duration>
  /** Set by a sweep: the flow takes over what is booked for its case already, and books nothing. */
  adopt?: boolean
}

export interface FlowShipment {
  role: string
  shipmentUid: string
  /** As the service spells it; a code that we do not know is kept as it came. */
  stateCode: string
  pupUid: string | null
  lockerName: string | null
}

/** A shipment that the flow did not end, and why: a locker that is not empty is never freed by software. */
export interface LeftOver {
  shipmentUid: string
  why: string
}

export type FlowOutcome = 'completed' | 'cancelled' | 'expired'
export type FlowState = 'booking' | 'waiting' | 'overdue' | 'cleaningUp' | 'ended'

export interface FlowResult {
  flow: string
  caseNo: string
  outcome: FlowOutcome
  shipments: FlowShipment[]
  leftOver: LeftOver[]
  /** What the declaration hands back, for instance `stockShipmentUid`. */
  [handedBack: string]: unknown
}

/** The answer of the update `booked`. */
export interface Booked {
  flow: string
  caseNo: string
  shipments: FlowShipment[]
}

/** The optional argument of the update `booked`: what the caller believes to have started. */
export interface BookedQuestion {
  flow?: string | null
  /** SHA-256 of the request, see `fingerprint` in the contract. */
  fingerprint?: string | null
  /** The request itself, in place of the fingerprint: other languages write numbers and texts in other ways. */
  request?: Record<string, unknown> | null
}

export interface CancelOrder {
  reason: string
}

export interface CancelAnswer {
  /** Completed when the flow was over before it could be cancelled. */
  outcome: FlowOutcome | 'failed'
  leftOver: LeftOver[]
}

/** The argument of the update `assignReceiver`: who collects the shipment. */
export interface ReceiverOrder {
  toUserUid: string
}

export interface Decision {
  decision: 'extend' | 'cancel' | 'keepWaiting'
  /** With `extend`: by how long; the stage's own window when left out. */
  by?: Duration | null
}

/** Something that the flow was told and did not believe, or could not do. Never personal data. */
export interface Refusal {
  at: string
  what: string
}

/** The answer of the query `status`. Times are ISO 8601 in UTC. */
export interface FlowStatus {
  flow: string
  caseNo: string
  state: FlowState
  stage: string | null
  overdue: boolean
  since: string
  deadline: string | null
  shipments: FlowShipment[]
  refusals: Refusal[]
  result: FlowResult | null
}

/** The signal `shipmentStatus`: a verified callback, without what a flow does not need. */
export interface ShipmentStatus {
  shipmentUid: string
  stateCode: string
  /** ISO 8601 without offset, in UTC. */
  stateStart: string
  pupUid?: string | null
}
