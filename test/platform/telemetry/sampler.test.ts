import { ROOT_CONTEXT, SpanKind, TraceFlags, trace } from '@opentelemetry/api'
import { SamplingDecision } from '@opentelemetry/sdk-trace'
import { expect, test } from 'vitest'
import { createSampler } from '../../../platform/telemetry/sampler.ts'

/** The ratio compares the exclusive or of the four parts of a trace id. */
const low = '00000001000000000000000000000000'
const high = 'f0000001000000000000000000000000'

test.each([
  ['always_on', { low: true, high: true, inSampled: true, inLeftOut: true }],
  ['always_off', { low: false, high: false, inSampled: false, inLeftOut: false }],
  ['traceidratio', { low: true, high: false, inSampled: false, inLeftOut: true }],
  ['parentbased_always_on', { low: true, high: true, inSampled: true, inLeftOut: false }],
  ['parentbased_always_off', { low: false, high: false, inSampled: true, inLeftOut: false }],
  ['parentbased_traceidratio', { low: true, high: false, inSampled: true, inLeftOut: false }],
])('%s records as OpenTelemetry describes it', (word, expected) => {
  const sampler = createSampler({ sampler: word, ratio: 0.5 })
  const decide = (traceId: string, parentFlags?: TraceFlags) => {
    const parent = { traceId, spanId: 'b7ad6b7169203331', isRemote: true }
    const context =
      parentFlags === undefined
        ? ROOT_CONTEXT
        : trace.setSpanContext(ROOT_CONTEXT, { ...parent, traceFlags: parentFlags })
    const { decision } = sampler.shouldSample(context, traceId, 'x', SpanKind.SERVER, {}, [])
    return decision === SamplingDecision.RECORD_AND_SAMPLED
  }
  expect({
    low: decide(low),
    high: decide(high),
    inSampled: decide(high, TraceFlags.SAMPLED),
    inLeftOut: decide(low, TraceFlags.NONE),
  }).toEqual(expected)
})
