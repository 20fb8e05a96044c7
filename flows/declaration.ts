import type { Duration, StateCode } from '#contract/terms'
import { type BookingOperation, findRoles, type Roles } from './bookings.ts'
import type { TimeoutPolicy } from './types.ts'

/** An update that completes a step, and the role of its shipment. */
export interface CompletingUpdate {
  /**
   * - assignReceiver: sets the user who collects the shipment; allowed from the booking until the step is complete.
   * - release: cancels the shipment and completes the flow.
   */
  readonly update: 'assignReceiver' | 'release'
  readonly role: string
}

/** Books shipments by one create operation, whose request is the flow's. */
export interface BookStep {
  readonly name: string
  readonly summary: string
  readonly book: BookingOperation
  /** How long faults are retried before the booking fails, counted from the start of the flow. */
  readonly window?: Duration
}

/** Waits until shipments have reached states. */
export interface WaitStep {
  readonly name: string
  /** Shown in the Web UI: the action that the flow waits for. */
  readonly summary: string
  /** Included only if these boolean fields of the input have these values; absent counts as false. */
  readonly when?: Readonly<Record<`input.${string}`, boolean>>
  /** The state that each role must have reached: this one, or one that can only follow it. */
  readonly wait: Readonly<Record<string, StateCode>>
  /** Null: the step has no deadline. */
  readonly window: Duration | null
  /** The policy for a passed window; absent without a window. */
  readonly onTimeout?: TimeoutPolicy
  /**
   * The policy when a locker of the flow goes out of service: a notification only, a person's decision, or the end of the
   * flow. Default: remind. Services that do not report it never cause it.
   */
  readonly onLockerOutOfService?: TimeoutPolicy
  readonly completedBy?: CompletingUpdate
  /** Roles that clean-up leaves, although they could be cancelled in this step. */
  readonly keep?: readonly string[]
}

/** A flow as data. The interpreter, the pictures and the documentation use it. */
export interface FlowDeclaration {
  /** The workflow type. */
  readonly name: string
  readonly summary: string
  readonly steps: readonly [BookStep, ...WaitStep[]]
  /** Outputs of a completed flow: field of the result to the role whose shipment uid it contains. */
  readonly outputs?: Readonly<Record<string, `${string}.shipmentUid`>>
}

/** The steps after the booking. */
export function waitSteps({ steps: [, ...waits] }: FlowDeclaration): readonly WaitStep[] {
  return waits
}

/** The roles of the booking; none for an unknown flow. */
export function rolesOf(flow: FlowDeclaration | undefined): Roles {
  return (flow && findRoles(flow.steps[0].book)) ?? {}
}

/** The window of a booking that declares none. */
export const defaultBookingWindow: Duration = '1h'

/** A step of an account flow. */
export interface AccountStep {
  readonly name: string
  readonly summary: string
  /** The condition of a step that is not always done. */
  readonly onlyIf?: string
}

/** A flow that books nothing: a workflow of its own with the messages of every flow, see workflows/accounts. */
export interface AccountFlowDeclaration {
  /** The workflow type. */
  readonly name: string
  readonly summary: string
  /** Its request is the flow's `request`, and its response is in the flow's result. */
  readonly operation: string
  /** Request fields that the operation does not have. */
  readonly extraFields: readonly string[]
  /** How long faults of the operation are retried before the flow fails, counted from the start. */
  readonly bookingWindow: Duration
  readonly steps: readonly AccountStep[]
}
