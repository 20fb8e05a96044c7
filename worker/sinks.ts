import type { InjectedSinks } from '@temporalio/worker'
import type { CallbackSinks, EdgeSinks, SpanSinks, TakenEdge } from '#flows'

/** The calls of flows to their worker. @param onCallback called for the first callback of a flow that polls early */
export function toSinks(onCallback: () => void): InjectedSinks<CallbackSinks> {
  return { callbacks: { arrived: { fn: onCallback, callDuringReplay: false } } }
}

/** An edge of a run, as a replay passes it on. */
export type OnEdge = (workflowId: string, flow: string, edge: TakenEdge) => void

/** For replays. The SDK logs an error for a sink that is missing. */
export function toReplaySinks(onEdge: OnEdge = () => undefined): InjectedSinks<CallbackSinks & SpanSinks & EdgeSinks> {
  return {
    ...toSinks(() => undefined),
    spans: { record: { fn() {}, callDuringReplay: false } },
    edges: {
      record: {
        fn: ({ workflowId, workflowType }, edge) => onEdge(workflowId, workflowType, edge),
        callDuringReplay: true,
      },
    },
  }
}
