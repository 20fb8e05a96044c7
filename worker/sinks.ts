import type { InjectedSinks } from '@temporalio/worker'
import type { CallbackSinks, SpanSinks } from '#flows'

/** The calls of flows to their worker. @param onCallback called for the first callback of a flow that polls early */
export function toSinks(onCallback: () => void): InjectedSinks<CallbackSinks> {
  return { callbacks: { arrived: { fn: onCallback, callDuringReplay: false } } }
}

/** For replays, which call no sink. The SDK logs an error for one that is missing. */
export const replaySinks: InjectedSinks<CallbackSinks & SpanSinks> = {
  ...toSinks(() => undefined),
  spans: { record: { fn() {}, callDuringReplay: false } },
}
