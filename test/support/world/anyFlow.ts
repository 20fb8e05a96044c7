import type {
  CaseFinished,
  CaseInUse,
  Ended,
  EndOptions,
  EndPending,
  FlowClient,
  Refused,
  Started,
  UnknownCase,
  WaitOptions,
} from '#client'
import type { FlowInput, FlowName, FlowResult } from '#flows'

/** The flow client without types per flow, because tests send requests that the types exclude. */
export interface AnyFlowClient
  extends Omit<FlowClient, 'start' | 'startAndWaitForBooking' | 'startAndWaitForEnd' | 'result'> {
  start(flow: FlowName, input: FlowInput): Promise<Started | CaseInUse | CaseFinished | Refused>
  startAndWaitForBooking(
    flow: FlowName,
    input: FlowInput,
    options?: WaitOptions,
  ): ReturnType<FlowClient['startAndWaitForBooking']>
  startAndWaitForEnd(
    flow: FlowName,
    input: FlowInput,
    options?: EndOptions,
  ): Promise<Ended | EndPending | CaseInUse | Refused | UnknownCase>
  result(caseNo: string): Promise<{ kind: 'Ended'; result: FlowResult } | Refused | UnknownCase>
}

/** Milliseconds in which a busy machine books and cancels. */
const longTimeout = 120_000

/** Gives calls more time than the client's default, which a busy machine can exceed. Tests of time limits set a shorter one. */
export function withLongTimeout(flows: AnyFlowClient): AnyFlowClient {
  return {
    ...flows,
    startAndWaitForBooking: (flow, input, options) =>
      flows.startAndWaitForBooking(flow, input, { timeout: longTimeout, ...options }),
    waitForBooking: (caseNo, options) => flows.waitForBooking(caseNo, { timeout: longTimeout, ...options }),
    cancel: (caseNo, reason, options) => flows.cancel(caseNo, reason, { timeout: longTimeout, ...options }),
  }
}
