import type { Duration, StateCode, WindowAnswer } from '#contract/terms'

/** An update that brings a stage about, and the role whose shipment it is about. */
export interface Order {
  /**
   * - assignReceiver: names who collects the shipment; may come from the booking until the stage is over.
   * - release: cancels the shipment and completes the flow.
   */
  readonly update: 'assignReceiver' | 'release'
  readonly role: string
}

/** One step of a flow: what it waits for, how long, and what happens when it waits in vain. */
export interface Stage {
  readonly name: string
  /** What people have to do, for the board. */
  readonly summary: string
  /** The stage is only there for requests in which these fields are as said; one that is left out is false. */
  readonly when?: Readonly<Record<string, boolean>>
  /** The state that each role must have reached: that one, or one that can only lie behind it. */
  readonly reached: Readonly<Record<string, StateCode>>
  /** Null: it may take any time. */
  readonly window: Duration | null
  /** What the passing of the window leads to; null without a window. */
  readonly answer: WindowAnswer | null
  /** Roles that cancelling in this stage may cancel while they hold no item; the others are left for a person. */
  readonly cancels: readonly string[]
  readonly order?: Order
}

/** By which of its links a shipment is known: it swaps, follows or circles back to another one. */
export type RoleLink = 'swaps' | 'follows' | 'circles'

/** The shipment that the request names as PriorShipmentUid or SwapsShipmentUid. */
export const given = 'given'

/** A shipment of the flow by what it is for. */
export interface Role {
  /** The state that the booking leaves it in, for services that cannot be asked. */
  readonly first: StateCode
  /** The shipment was there before the flow: it is the one that the request names. */
  readonly given?: true
  /** The link by which it is recognized, and the role, or the given shipment if there is one, that it leads to. */
  readonly link?: { readonly by: RoleLink; readonly to: string }
}

/** A booking flow as data: the interpreter, the pictures and the documentation are made from it. */
export interface FlowDeclaration {
  /** The workflow type. */
  readonly name: string
  readonly summary: string
  /** The create operation that books it; its request is the flow's `request`. */
  readonly operation: string
  /** In the order in which the operation answers its shipments; a link leads to a role above. */
  readonly roles: Readonly<Record<string, Role>>
  /** How long faults are retried before the booking is given up, counted from the start. */
  readonly booking: Duration
  readonly stages: readonly Stage[]
  /** What a finished flow hands back: name to the role whose shipment uid it is. */
  readonly handsBack: Readonly<Record<string, string>>
}

/** A step of a flow that books nothing. */
export interface Step {
  readonly name: string
  readonly summary: string
  /** Why it is done at all; left out for what is always done. */
  readonly onlyIf?: string
}

/** A flow that books nothing: a workflow of its own with the messages of every other, see workflows/plain. */
export interface PlainDeclaration {
  /** The workflow type. */
  readonly name: string
  readonly summary: string
  /** Its request is the flow's `request`, its answer is in the flow's result. */
  readonly operation: string
  /** Fields of the request beside those of the operation. */
  readonly adds: readonly string[]
  /** How long faults of the operation are retried before the flow gives up, counted from the start. */
  readonly booking: Duration
  readonly steps: readonly Step[]
}
