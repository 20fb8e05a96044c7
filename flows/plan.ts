import type { Link, ServiceProfile } from '#contract/terms'
import type { CompletingUpdate } from './declaration.ts'
import type { FlowInput, TimeoutPolicy } from './types.ts'

/** A resolved stage. A running flow must not depend on module constants. */
export interface PlannedStage {
  name: string
  summary: string
  reached: Record<string, string>
  /** Milliseconds; null without a deadline. */
  window: number | null
  onTimeout: TimeoutPolicy | null
  /** Absent: remind. */
  onLockerOutOfService?: TimeoutPolicy
  cancels: string[]
  /** The update that completes it. */
  completedBy?: CompletingUpdate | null
}

/** A resolved role. */
export interface PlannedRole {
  name: string
  /** The state after the booking. */
  initialState: string
  /** It existed before the flow. */
  existing: boolean
  link: { by: Link; to: string } | null
}

/** The interval between polls of a waiting flow, in milliseconds. It doubles from the initial to the maximum one. */
export interface PollInterval {
  initial: number
  maximum: number
  /** The first interval until a callback of the flow has arrived. Absent where callbacks are known to arrive. */
  untilCallback?: number
}

/** Everything that a run depends on. Its first activity records it in the history. */
export interface Plan {
  flow: string
  caseNo: string
  /** SHA-256 of the request of the input. */
  fingerprint: string
  operation: string
  /** As sent to the service: checked, in the contract's casing, with the case number in every ReferenceCaseNo. */
  request: Record<string, unknown>
  /** In the order of the operation's response. */
  roles: PlannedRole[]
  stages: PlannedStage[]
  outputs: Record<string, string>
  /** Milliseconds from the start of the flow. */
  bookingWindow: number
  profile: ServiceProfile
  /** The states that can follow each state, over any number of steps. */
  reachable: Record<string, string[]>
  pollInterval: PollInterval
  /**
   * The time that a create without a response may take to reach the service, in milliseconds. Plans of earlier builds
   * have none.
   */
  createDelay?: number
  pickUpPoint: string | null
  user: string | null
  /** Absent in a flow that sends none. */
  notifications?: PlannedNotifications
  /** The flow adopts an existing booking. Absent otherwise. */
  adopt?: true
}

/** The delivery of notifications. Their address is a setting of the worker and in no history. */
export interface PlannedNotifications {
  /** How long a receiver may be unreachable, in milliseconds. */
  deliveryTimeout: number
  /** The number of undelivered notifications beyond which only the end of the flow is sent. */
  maxUndelivered: number
}

export interface PlanFlowInput {
  flow: string
  workflowId: string
  input: FlowInput
}
