import * as nexus from 'nexus-rpc'
import type { Booked, Cancelled, CancelPending, InputOf, NameOf, ResultOf } from '#client'
import type { Decision, FlowStatus } from '#flows'
import type { FlowDeclaration } from '#flows/declaration'

/** The input of `start` and `book`: the name of a flow, and the input of that flow. */
export type StartFlowInput<Own extends FlowDeclaration = never> = {
  [Name in NameOf<Own>]: { flow: Name } & InputOf<Name, Own>
}[NameOf<Own>]

/** The input of `status`. */
export interface CaseInput {
  caseNo: string
}

/** The input of `cancel`. */
export interface CancelFlowInput extends CaseInput {
  /** For the history of the flow. 1 to 500 characters. */
  reason?: string | null
}

/** The input of `decide`. */
export interface DecideFlowInput extends CaseInput {
  decision: Decision
}

/** The shipments of a case whose lockers are booked. */
export type BookedFlow<Own extends FlowDeclaration = never> = Omit<Booked<NameOf<Own>, Own>, 'kind'>

/** The operations by name: their input, and their result. */
export interface FlowOperations<Own extends FlowDeclaration = never> extends nexus.OperationMap {
  /**
   * Runs a flow; its result is that of the flow. Cancelling the operation cancels the flow, which cleans up first. A start
   * of a case that the namespace's retention has deleted books again.
   */
  start: nexus.OperationDefinition<StartFlowInput<Own>, ResultOf<NameOf<Own>, Own>>
  /**
   * Starts a flow; its result is the booking. Cancelling the operation before the booking cancels the flow, which cleans
   * up first. After the booking the flow continues independently. A case that was cancelled is refused with `FlowEnded`.
   */
  book: nexus.OperationDefinition<StartFlowInput<Own>, BookedFlow<Own>>
  /** The state of a flow. */
  status: nexus.OperationDefinition<CaseInput, FlowStatus>
  /** Cancels a flow. `CancelPending` if the clean-up takes longer than a few seconds: it goes on. */
  cancel: nexus.OperationDefinition<CancelFlowInput, Cancelled | CancelPending>
  /** Decides about an expired window. */
  decide: nexus.OperationDefinition<DecideFlowInput, FlowStatus>
}

/** The service with its operations. */
export type FlowService<Own extends FlowDeclaration = never> = nexus.ServiceDefinition<FlowOperations<Own>>

/**
 * The endpoint of `lockerflow dev` and of the documentation. An operator may choose another name.
 *
 * ```ts
 * const flows = createNexusServiceClient({ endpoint: flowEndpoint, service: flowService() })
 * ```
 */
export const flowEndpoint = 'lockerflow'

const definition = nexus.service('lockerflow', {
  start: nexus.operation<StartFlowInput, ResultOf>(),
  book: nexus.operation<StartFlowInput, BookedFlow>(),
  status: nexus.operation<CaseInput, FlowStatus>(),
  cancel: nexus.operation<CancelFlowInput, Cancelled | CancelPending>(),
  decide: nexus.operation<DecideFlowInput, FlowStatus>(),
})

/**
 * The service, for a client in a workflow of any namespace:
 *
 * ```ts
 * const flows = createNexusServiceClient({ endpoint: flowEndpoint, service: flowService() })
 * const result = await flows.executeOperation('start', { flow: 'stock', caseNo: 'S-1', request })
 * ```
 *
 * The declarations type your own flows: `flowService<typeof repairShop>()`.
 */
export function flowService<Own extends FlowDeclaration = never>(): FlowService<Own> {
  return definition as unknown as FlowService<Own>
}
