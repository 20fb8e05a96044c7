import type { ServiceProfile } from '#contract/terms'
import type { Outputs } from './declaration/outputs.ts'
import type { Json } from './declaration/sources.ts'
import type { PlannedStep } from './kinds/index.ts'
import type { FlowInput } from './types.ts'

/**
 * Everything that a run depends on. Its first activity records it in the history. Durations are in milliseconds, moments
 * of the input in milliseconds since 1970. Steps whose condition reads the input only, and is false, are left out.
 */
export interface FlowPlan {
  /** The version of this form. A worker fails the workflow task of a newer one, not the flow. */
  version: 3
  flow: string
  summary: string
  caseNo: string
  /** SHA-256 of the request of the input. */
  fingerprint: string
  /** Fields of the input that conditions, sources and moments of later steps read; no more, since each flow keeps it. */
  input: Record<string, Json>
  steps: PlannedStep[]
  outputs: Outputs
  profile: ServiceProfile
  /** The states that can follow each state, over any number of steps; empty in a flow that books nothing. */
  reachable: Record<string, string[]>
  polls: PollInterval
  /** The time that a create without a response may take to reach the service. */
  createDelay: number
  pickUpPoint: string | null
  user: string | null
  /** Absent in a flow that sends none. */
  notifications?: PlannedNotifications
  /** The flow adopts an existing booking. */
  adopt?: true
  /** Staging only: the flow accepts `moveClock`, and starts this far ahead of Temporal's clock, in milliseconds. */
  clock?: { ahead: number }
  /** Staging only: the windows are those of the declaration times this factor. */
  windowFactor?: number
}

/** The interval between polls of a waiting flow, in milliseconds. It doubles from the initial to the maximum one. */
export interface PollInterval {
  initial: number
  maximum: number
  /** The first interval until a callback of the flow has arrived. Absent where callbacks are known to arrive. */
  untilCallback?: number
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
