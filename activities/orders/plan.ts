import type { FlowInput, ServiceProfile, WindowAnswer } from '#contract/terms'
import type { Order } from '#workflows/flows'

/** A stage with everything resolved: nothing that a running flow depends on stays in a module constant. */
export interface PlannedStage {
  name: string
  summary: string
  reached: Record<string, string>
  /** Milliseconds; null: it may take any time. */
  window: number | null
  answer: WindowAnswer | null
  cancels: string[]
  /** The update that brings it about. Not there in plans of before there were any. */
  order?: Order | null
}

/** A role of the flow's shipments, see the declaration. */
export interface PlannedRole {
  name: string
  /** The state that the booking leaves it in. */
  first: string
  /** It was there before the flow. */
  given: boolean
  link: { by: 'swaps' | 'follows' | 'circles'; to: string } | null
}

/** How often a waiting flow asks for itself, in milliseconds. */
export interface Looks {
  first: number
  longest: number
}

/** All that a run depends on, recorded in its history by its first step. */
export interface Plan {
  flow: string
  caseNo: string
  /** Of the request as it was given. */
  fingerprint: string
  operation: string
  /** As sent to the service: checked, in the contract's casing, with the case number in every reference. */
  request: Record<string, unknown>
  /** In the order in which the operation answers its shipments. */
  roles: PlannedRole[]
  stages: PlannedStage[]
  handsBack: Record<string, string>
  /** Milliseconds from the start of the flow. */
  bookingWindow: number
  profile: ServiceProfile
  /** For each state the states that can come after it. */
  reachable: Record<string, string[]>
  looks: Looks
  pickUpPoint: string | null
  user: string | null
  /** Not there when the flow sends none. */
  notices?: PlannedNotices
  /** The flow takes over what is booked already. Not there otherwise. */
  adopt?: true
}

/** How the notices of a flow are sent; where to is the worker's own, and in no history. */
export interface PlannedNotices {
  /** For how long a receiver is tried, in milliseconds. */
  patience: number
  /** So many may wait for their receiver; reminders and stages beyond are not sent. */
  mostUnsent: number
}

export interface PlanOrder {
  flow: string
  workflowId: string
  input: FlowInput
}
