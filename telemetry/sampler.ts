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
