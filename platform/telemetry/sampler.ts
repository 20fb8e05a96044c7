import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace'
import type { Sampling } from './environment.ts'

/** The sampler is ours too, so that a span that is not recorded is never made. */
export function createSampler({ sampler, ratio }: Pick<Sampling, 'sampler' | 'ratio'>): Sampler {
  const [, parentBased, decision] = /^(parentbased_)?(.+)$/.exec(sampler) ?? []
  const root =
    decision === 'always_on'
      ? new AlwaysOnSampler()
      : decision === 'always_off'
        ? new AlwaysOffSampler()
        : new TraceIdRatioBasedSampler(ratio)
  return parentBased === undefined ? root : new ParentBasedSampler({ root })
}

/**
 * Limits how many traces a process begins: `perSecond` on average, and as many at once after a second without any.
 * @param now milliseconds of a clock that is never set back
 * @returns a function that returns whether one more may begin
 */
export function createTraceLimit(perSecond: number, now: () => number = () => performance.now()): () => boolean {
  let left = perSecond
  let at = now()
  return () => {
    const time = now()
    left = Math.min(perSecond, left + ((time - at) * perSecond) / 1_000)
    at = time
    if (left < 1) return false
    left--
    return true
  }
}
