import type { PollInterval } from '#flows'

export interface CallbackExpectation {
  /** The first interval of polls while no callback has arrived, in milliseconds. */
  readonly earlyPoll: number
  /** True since the worker has seen a callback. */
  arrive: boolean
}

/** Varies the interval by a fifth, once per flow, so that flows do not all poll at the same time. */
export function toPollInterval(
  { initial, maximum }: PollInterval,
  callbacks: CallbackExpectation | undefined,
): PollInterval {
  const factor = 0.8 + 0.4 * Math.random()
  const jitter = (length: number) => Math.round(length * factor)
  const isUncertain = callbacks !== undefined && !callbacks.arrive
  return {
    initial: jitter(initial),
    maximum: jitter(maximum),
    ...(isUncertain && { untilCallback: jitter(Math.min(callbacks.earlyPoll, initial)) }),
  }
}
