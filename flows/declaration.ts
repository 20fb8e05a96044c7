import type { Duration, Link, StateCode } from '#contract/terms'
import type { TimeoutPolicy } from './types.ts'

/** An update that completes a stage, and the role of its shipment. */
export interface CompletingUpdate {
  /**
   * - assignReceiver: sets the user who collects the shipment; allowed from the booking until the stage is complete.
   * - release: cancels the shipment and completes the flow.
   */
  readonly update: 'assignReceiver' | 'release'
  readonly role: string
}

/** One step of a flow: the states that it waits for, its window, and the policy for a passed window. */
export interface Stage {
  readonly name: string
  /** Shown in the Web UI: the action that the flow waits for. */
  readonly summary: string
  /** Included only if these boolean request fields have these values; absent counts as false. */
  readonly when?: Readonly<Record<string, boolean>>
  /** The state that each role must have reached: this one, or one that can only follow it. */
  readonly reached: Readonly<Record<string, StateCode>>
  /** Null: the stage has no deadline. */
  readonly window: Duration | null
  /** The policy for a passed window; null without a window. */
  readonly onTimeout: TimeoutPolicy | null
  /**
   * The policy when a locker of the flow goes out of service: a notification only, a person's decision, or the end of the
   * flow. Default: remind. Services that do not report it never cause it.
   */
  readonly onLockerOutOfService?: TimeoutPolicy
  /** Roles that may be cancelled in this stage while they hold no item. The others are left for a person. */
  readonly cancels: readonly string[]
  readonly completedBy?: CompletingUpdate
}

/** Stands for the shipment that the request names as PriorShipmentUid or SwapsShipmentUid. */
export const existingShipment = 'existing'

/** The uid of the shipment that a request names; empty without one. */
export function toExistingShipmentUid({ request }: { readonly request: Readonly<Record<string, unknown>> }): string {
  const uid = [request.PriorShipmentUid, request.SwapsShipmentUid].find(value => typeof value === 'string')
  return typeof uid === 'string' ? uid : ''
}

/** A shipment of the flow, by its purpose. */
export interface Role {
  /** The state after the booking, for services that cannot be read. */
  readonly initialState: StateCode
  /** The shipment existed before the flow: the request names it. */
  readonly existing?: true
  /** The link that identifies the shipment, and the role, or the existing shipment, that it leads to. */
  readonly link?: { readonly by: Link; readonly to: string }
}

/** A booking flow as data. The interpreter, the pictures and the documentation use it. */
export interface FlowDeclaration {
  /** The workflow type. */
  readonly name: string
  readonly summary: string
  /** The create operation that books it. Its request is the flow's `request`. */
  readonly operation: string
  /** In the order of the operation's response. A link leads to a role above. */
  readonly roles: Readonly<Record<string, Role>>
  /** How long faults are retried before the booking fails, counted from the start. */
  readonly bookingWindow: Duration
  readonly stages: readonly Stage[]
  /** Outputs of a completed flow: field of the result to the role whose shipment uid it contains. */
  readonly outputs: Readonly<Record<string, string>>
}

/** A step of an account flow. */
export interface Step {
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
  readonly steps: readonly Step[]
}
