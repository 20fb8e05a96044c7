import type { OperationName, RequestOf, ResponseOf } from '#contract'
import type { AnyFlowName, accountFlows, bookings, Duration, FlowResult, FlowShipment, flows } from '#flows'

type Flows = typeof flows & typeof accountFlows

/** The input of a flow: `InputOf<'issue'>`. */
export interface InputOf<Name extends AnyFlowName = AnyFlowName> {
  /** 1 to 60 characters, unique for as long as the namespace keeps closed workflows. */
  caseNo: string
  /**
   * The request of the flow's operation, in the specification's spelling. At run time keys are read in any casing. The
   * flow fills every `ReferenceCaseNo`.
   */
  request: FlowRequest<Name>
  /** Stage name to duration, for instance `"48h"`. `booking` counts from the start of the flow. */
  windows?: Partial<Record<WindowName<Name>, Duration>>
}

/** The request of a flow, with the fields that the flow adds to its operation. */
export type FlowRequest<Name extends AnyFlowName> = {
  [Each in Name]: RequestOf<OperationOf<Each>> & ExtraFields<Flows[Each]>
}[Name]

type OperationOf<Name extends AnyFlowName> = OperationIn<Flows[Name]>
type OperationIn<Flow> = Flow extends { operation: infer Operation extends OperationName }
  ? Operation
  : Flow extends { steps: readonly [{ book: infer Operation extends OperationName }, ...unknown[]] }
    ? Operation
    : never
type ExtraFields<Flow> = Flow extends { extraFields: readonly (infer Field extends string)[] }
  ? Record<Field, string>
  : unknown

/** The stages of a flow that can have a window, and `booking`. */
export type WindowName<Name extends AnyFlowName> = StageNameOf<Flows[Name]> | 'booking'
type StageNameOf<Flow> = Flow extends {
  steps: readonly [{ book: string }, ...(readonly { name: infer Stage extends string }[])]
}
  ? Stage
  : never

/** A shipment of a flow, with the roles that the flow declares. */
export type ShipmentOf<Name extends AnyFlowName> = FlowShipment & { role: RoleOf<Flows[Name]> }
type RoleOf<Flow> = Flow extends {
  steps: readonly [{ book: infer Operation extends keyof typeof bookings }, ...unknown[]]
}
  ? keyof (typeof bookings)[Operation] & string
  : never

/** The result of a flow: `ResultOf<'issue'>`. A union of them is narrowed by its field `flow`. */
export type ResultOf<Name extends AnyFlowName = AnyFlowName> = {
  [Each in Name]: Pick<FlowResult, 'caseNo' | 'outcome' | 'leftOver'> & {
    flow: Each
    shipments: ShipmentOf<Each>[]
  } & OutputsOf<Flows[Each]>
}[Name]

/** A booking flow returns shipment uids by name. An account flow returns its operation's response, as far as it got. */
type OutputsOf<Flow> = Flow extends { operation: infer Operation extends OperationName }
  ? Partial<ResponseOf<Operation>>
  : Flow extends { outputs: infer Outputs }
    ? { [Output in keyof Outputs]: string | null }
    : unknown
