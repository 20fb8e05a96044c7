import type { CaseFinished, CaseInUse, FlowClient, Refused, Started, UnknownCase, WaitOptions } from '#client'
import type { AnyFlowName, FlowInput, FlowResult } from '#flows'

/** The flow client without types per flow, because tests send requests that the types exclude. */
export interface AnyFlowClient extends Omit<FlowClient, 'start' | 'startAndWaitForBooking' | 'result'> {
  start(flow: AnyFlowName, input: FlowInput): Promise<Started | CaseInUse | CaseFinished>
  startAndWaitForBooking(
    flow: AnyFlowName,
    input: FlowInput,
    options?: WaitOptions,
  ): ReturnType<FlowClient['startAndWaitForBooking']>
  result(caseNo: string): Promise<{ kind: 'Ended'; result: FlowResult } | Refused | UnknownCase>
}
