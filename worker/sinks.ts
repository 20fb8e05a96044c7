import type { InjectedSinks } from '@temporalio/worker'
import type { CallbackSinks, EdgeSinks, TakenEdge } from '#flows'
import type { SpanSinks } from '#platform/telemetry/traceContext'

/** The calls of flows to their worker. @param onCallback called for the first callback of a flow that polls early */
export function toSinks(onCallback: () => void): InjectedSinks<CallbackSinks> {
  return { callbacks: { arrived: { fn: onCallback, callDuringReplay: false } } }
}

/** An edge that a replayed run took. */
export interface ReplayedEdge extends TakenEdge {
  readonly workflowId: string
  readonly flow: string
  /** Milliseconds since 1970. */
  readonly at: number
}

/** Gets the edges of a replay. */
export type OnEdge = (edge: ReplayedEdge) => void

/** For replays. The SDK logs an error for a sink that is missing. */
export function toReplaySinks(onEdge: OnEdge = () => undefined): InjectedSinks<CallbackSinks & SpanSinks & EdgeSinks> {
  return {
    ...toSinks(() => undefined),
    spans: { record: { fn() {}, callDuringReplay: false } },
    edges: {
      record: {
        fn: ({ workflowId, workflowType: flow }, edge, at) => onEdge({ workflowId, flow, ...edge, at }),
        callDuringReplay: true,
      },
    },
  }
}
