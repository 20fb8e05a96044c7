import type { Duration } from '#contract/terms'
import type { Fields } from './declaration/fields.ts'
import type { Json } from './declaration/sources.ts'
import type { LeftOver } from './leftOvers.ts'
import type { FlowPicture } from './picture.ts'

/**
 * The policy for an expired window, or for a locker out of service: a reminder (with another window), the end of the flow,
 * or a person's decision.
 */
export type TimeoutPolicy = 'remind' | 'cancel' | 'ask'

/** The one argument of every flow. */
export interface FlowInput {
  /** 1 to 60 characters, unique for as long as the namespace keeps closed workflows. */
  caseNo: string
  /** The declared input, or the operation's request as the specification spells it. */
  request: Record<string, unknown>
  /** Step name to duration; `booking` counts from the start of the flow. */
  windows?: Record<string, Duration>
  /**
   * Fingerprint of the declaration's `toStarterView`, from a client that knows the flow. A worker with another one refuses
   * the start with FlowDiffers.
   */
  declaration?: string | null
  /** Set by a sweep: the flow adopts the existing booking of its case, and books nothing. */
  adopt?: boolean
}

/** A shipment of a flow, by its role. */
export interface FlowShipment {
  role: string
  shipmentUid: string
  /** As the service spells it. Unknown codes are passed on unchanged. */
  stateCode: string
  pupUid: string | null
  lockerName: string | null
  /** The service reports its locker, or its pick up point, as out of service. Absent otherwise. */
  lockerOutOfService?: true
}

export type FlowOutcome = 'completed' | 'cancelled' | 'expired'
/** The state of a flow, which lists can be filtered by. */
export type FlowState = 'booking' | 'waiting' | 'overdue' | 'cleaningUp' | 'ended'

/** The result of a flow that ended. */
export interface FlowResult {
  flow: string
  caseNo: string
  outcome: FlowOutcome
  shipments: FlowShipment[]
  leftOver: LeftOver[]
  /** The outputs of the declaration, for instance `stockShipmentUid`. */
  [output: string]: unknown
}

/** The result of the update `waitForBooking`. */
export interface BookingResult {
  flow: string
  caseNo: string
  shipments: FlowShipment[]
}

/** The optional argument of the update `waitForBooking`. It detects a case number that another caller uses. */
export interface WaitForBookingUpdate {
  flow?: string | null
  /** SHA-256 of the request, see `fingerprint` in the contract. */
  fingerprint?: string | null
  /** Instead of the fingerprint, which depends on how a language writes numbers and texts. */
  request?: Record<string, unknown> | null
}

/** The optional argument of the update `cancel`. */
export interface CancelUpdate {
  /** For the history of the flow. 1 to 500 characters. */
  reason?: string | null
}

export interface CancelResult {
  /** Completed when the flow ended before it could be cancelled. */
  outcome: FlowOutcome | 'failed'
  leftOver: LeftOver[]
}

/** The argument of the update `moveClock`, which only flows of a test in staging accept. */
export interface MoveClockUpdate {
  /** How far the flow is to be ahead of Temporal's clock, in milliseconds. */
  ahead: number
}

export interface MovedClock {
  /** The flow has ended on the way. */
  ended: boolean
}

/** The argument of the update `decide`. */
export interface Decision {
  decision: 'extend' | 'cancel' | 'keepWaiting'
  /** The length of `extend`; by default the window of the step. */
  by?: Duration | null
  /**
   * The name of the step, if several are overdue; in an item of a list, also with its key: `fit[A-1]`. With `extend` also a
   * step whose window has not passed.
   */
  step?: string | null
  /** The key of the item in which the step is. */
  item?: string | null
  /**
   * The `webhook-id` of the notification that the decision answers. The flow then refuses the decision if it has sent
   * a later one since, or has been decided. Without it the decision answers whatever is overdue.
   */
  notification?: string | null
}

/** The argument of the update `answer`: the answer to an ask step. */
export interface AnswerUpdate {
  /** The name of the ask step. In the item of a list, also with its key: `fit[A-1]`. */
  step: string
  /** The key of the item in which the step asks, if several do. */
  item?: string | null
  /** One of the answers that the step allows. */
  answer: string
  /** The fields of this answer. */
  fields?: Record<string, Json> | null
  /** Who answers, as the caller says it: recorded, not checked. 1 to 64 characters. */
  by?: string | null
}

/** The result of the update `answer`. The same answer again returns the result of the first one. */
export interface AnswerResult {
  step: string
  answer: string
  fields: Record<string, Json>
  by: string | null
  /** ISO 8601 in UTC. */
  answeredAt: string
}

/** A rejected callback, or a failed call of the service. It contains no personal data. */
export interface Rejection {
  at: string
  what: string
}

/** The reason why an ended flow has no result. */
export interface FlowFailure {
  /** A code of docs/reference/errors.md, or another code of the service. */
  code: string
  message: string
  /** The id under which the service logged the request that it refused; absent for a refusal of the flow. */
  serviceRequestId?: string
  leftOver: LeftOver[]
}

/** The result of the query `status`. Times are ISO 8601 in UTC. */
export interface FlowStatus {
  flow: string
  caseNo: string
  state: FlowState
  /** The name of the step: the same as `step`, under the name of the search attribute. */
  stage: string | null
  step: string | null
  /** The question that the flow asks now; null without one. */
  asks: OpenQuestion | null
  overdue: boolean
  /** The moment at which the window first passed; reminders do not change it. Null for a flow that is not overdue. */
  overdueSince: string | null
  /** The start of the step. */
  since: string
  /** The end of the window; of an overdue flow, the moment of its next reminder. */
  deadline: string | null
  shipments: FlowShipment[]
  /**
   * What runs beside each other in blocks: the fields above are those of the line that needs a person most. Absent while no
   * block runs.
   */
  lines?: FlowLine[]
  rejections: Rejection[]
  /** Null before the end, and for a flow that failed. */
  result: FlowResult | null
  /** Null unless the flow failed. */
  failure: FlowFailure | null
  /** Only on request: the outputs so far, by step. They can contain personal data. */
  outputs?: Record<string, Json>
  /** Only on request, and null before the flow is planned. */
  picture?: FlowPicture | null
  /** Only on request, and absent before the flow is planned. */
  questions?: Question[]
}

/** The optional argument of the query `status`. */
export interface StatusOptions {
  /** Adds the outputs of the steps to the result. */
  outputs?: boolean | null
  /** Adds the picture of the run: the path that it took, its current step, and the steps that may come. */
  picture?: boolean | null
  /** Adds who answers each ask step of the flow, including steps that it has left and steps that may come. */
  questions?: boolean | null
}

/** An ask step, and who answers it. */
export interface Question {
  step: string
  who: string
}

/** A step of a flow with blocks, of which several can run at once. Times are ISO 8601 in UTC. */
export interface FlowLine {
  /** Its name; with its item or round inside of loops: `pack[A-1]`, `remind#3`. */
  step: string
  /** The path through the blocks: `parcels[A-1]/back.customer`. Empty outside of them. */
  scope: string
  since: string
  deadline: string | null
  overdue: boolean
  asks?: OpenQuestion
}

/** An ask step that waits for its answer. */
export interface OpenQuestion extends Question {
  /** The answers that are allowed, with the fields of each. */
  answers: Record<string, Fields>
}

/** The argument of the signal `shipmentStatus`: the fields of a verified callback that flows need. */
export interface ShipmentStatus {
  shipmentUid: string
  stateCode: string
  /** ISO 8601 without offset, in UTC. */
  stateStart: string
  pupUid?: string | null
  /** True if its locker or pick up point is out of service. No callback has the field: the gateway reads it at the service. */
  lockerOutOfService?: boolean
}
