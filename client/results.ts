import type { ErrorCode } from '#contract/terms'
import type { AnswerResult, CancelResult, FlowName, FlowOutcome, FlowState, FlowStatus, LeftOver } from '#flows'
import type { FlowDeclaration } from '#flows/declaration'
import type { Change } from './changes.ts'
import type { NameOf, ResultOf, ShipmentOf } from './flowTypes.ts'

/** The reason why a call got no response. The message ends with the address of its entry. */
export interface MissingResponse {
  readonly code:
    | 'NoWorkerPolls'
    | 'FlowPaused'
    | 'NoResponseInTime'
    | 'TemporalUnreachable'
    | 'TemporalDenied'
    | 'TemporalLimitReached'
    | 'TemporalFailed'
  readonly message: string
}

/** The reason why a call returned before the flow was done. */
export interface PendingReason {
  readonly code: MissingResponse['code'] | 'BookingPending'
  readonly message: string
}

/** The flow runs: a new one, or the one that an earlier call started. */
export interface Started {
  readonly kind: 'Started'
  readonly caseNo: string
  readonly runId: string
  readonly isNew: boolean
}

/** The lockers are booked. */
export interface Booked<Name extends NameOf<Own> = FlowName, Own extends FlowDeclaration = never> {
  readonly kind: 'Booked'
  readonly flow: string
  readonly caseNo: string
  readonly shipments: ShipmentOf<Name, Own>[]
}

/** No response within the timeout. The flow continues. */
export interface BookingPending extends PendingReason {
  readonly kind: 'BookingPending'
  readonly caseNo: string
}

/** The case number belongs to another flow, or to the same flow with another request. */
export interface CaseInUse {
  readonly kind: 'CaseInUse'
  readonly caseNo: string
  readonly code: 'CaseInUse'
  /** Names the fields that differ, or the other flow. */
  readonly message: string
}

/** The case was started before and has completed. */
export interface CaseFinished<Name extends NameOf<Own> = FlowName, Own extends FlowDeclaration = never> {
  readonly kind: 'CaseFinished'
  readonly result: ResultOf<Name, Own>
}

/** The service or the flow refused. */
export interface Refused {
  readonly kind: 'Refused'
  /** A code of docs/reference/errors.md, or another code of the service. */
  readonly code: RefusalCode
  readonly message: string
  /** The id under which the service logged the request that it refused; absent for a refusal of the flow. */
  readonly serviceRequestId?: string
  /** The left-overs of a failed flow, for a person; absent if nothing is left, and for the refusal of a call. */
  readonly leftOver?: LeftOver[]
}

/** The known codes, for completion in the editor and `switch`; a service may return others. */
export type RefusalCode = ErrorCode | (string & {})

/** No flow has this case number, or the namespace no longer keeps it. */
export interface UnknownCase {
  readonly kind: 'UnknownCase'
  readonly caseNo: string
  readonly code: 'UnknownCase'
  readonly message: string
}

/** The flow has ended. */
export interface Ended<Name extends NameOf<Own> = FlowName, Own extends FlowDeclaration = never> {
  readonly kind: 'Ended'
  readonly result: ResultOf<Name, Own>
}

/** The flow has not ended within the timeout, and continues. */
export interface EndPending extends PendingReason {
  readonly kind: 'EndPending'
  readonly caseNo: string
}

/** The flow has ended and is cleaned up. `outcome` is `completed` when it completed before the cancellation. */
export interface Cancelled extends CancelResult {
  readonly kind: 'Cancelled'
}

/** No response within the timeout, or the flow is paused. The cancellation is requested: the flow cleans up once it runs. */
export interface CancelPending extends PendingReason {
  readonly kind: 'CancelPending'
  readonly caseNo: string
}

/** The flow accepted the decision. */
export interface Decided {
  readonly kind: 'Decided'
  readonly status: FlowStatus
}

/** The flow has the answer. The same answer again returns the result of the first one. */
export interface Answered extends AnswerResult {
  readonly kind: 'Answered'
}

/** The status of a flow. */
export interface Status {
  readonly kind: 'Status'
  readonly status: FlowStatus
}

/** A watcher gets no response: no worker polls, the flow is paused, or Temporal is down. It tries again, and misses nothing. */
export interface Interrupted {
  readonly kind: 'Interrupted'
  readonly caseNo: string
  readonly code: MissingResponse['code']
  readonly message: string
}

/** An item of `FlowClient.watch`: a change, or the end as the last one. */
export type Watched<Name extends NameOf<Own> = FlowName, Own extends FlowDeclaration = never> =
  | Change
  | Interrupted
  | Ended<Name, Own>
  | Refused
  | UnknownCase

/** A page of flows: open ones, the last started first, then ended ones, the last ended first. */
export interface Listed {
  readonly kind: 'Listed'
  readonly cases: ListedCase[]
  /** The next page; null after the last one. */
  readonly cursor: string | null
}

/** A flow as Temporal's visibility has it, up to a few seconds late. */
export interface ListedCase {
  readonly caseNo: string
  /** The newest run of the flow. */
  readonly runId: string
  readonly flow: string
  readonly state: FlowState
  /** The steps at which it stands. For an ended flow: where it ended. */
  readonly steps: string[]
  readonly overdue: boolean
  /** Null before the end, and for a flow that was ended from outside. */
  readonly outcome: FlowOutcome | 'failed' | null
  /** It has ended, and left something over for a person. */
  readonly leftOver: boolean
  /** The uid of the user in its request. */
  readonly user: string | null
  readonly pickUpPoint: string | null
  /** The 50 newest shipments. */
  readonly shipmentUids: string[]
  /** ISO 8601 in UTC. */
  readonly startedAt: string
  readonly endedAt: string | null
  /** It ended without a result: refused, given up, terminated or timed out. */
  readonly failed: boolean
}
