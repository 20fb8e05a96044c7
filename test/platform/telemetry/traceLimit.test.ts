import { expect, onTestFinished, test, vi } from 'vitest'
import { type OpenSpan, startTelemetry, type Tracing, tracing } from '#platform/telemetry'
import { readTelemetry } from '../../../platform/telemetry/environment.ts'
import { createTraceLimit } from '../../../platform/telemetry/sampler.ts'
import { startCollector } from '../../support/telemetry/collector.ts'
import { otelVariables } from '../../support/telemetry/useTelemetry.ts'

test.each([
  {
    what: 'all of a quiet process',
    perSecond: 2,
    at: [0, 500, 1_000, 1_500, 2_000],
    begun: [0, 500, 1_000, 1_500, 2_000],
  },
  { what: 'a second of them at once', perSecond: 3, at: [0, 0, 0, 0, 0], begun: [0, 0, 0] },
  { what: 'as many as have become free', perSecond: 2, at: [0, 0, 0, 400, 600, 600, 1_100], begun: [0, 0, 600, 1_100] },
  { what: 'no more after a long pause', perSecond: 2, at: [0, 60_000, 60_000, 60_000], begun: [0, 60_000, 60_000] },
])('a limit of $perSecond lets $what begin', ({ perSecond, at, begun }) => {
  let now = 0
  const mayBegin = createTraceLimit(perSecond, () => now)
  const allowed = at.filter(time => {
    now = time
    return mayBegin()
  })
  expect(allowed).toEqual(begun)
})

test.each([
  [{}, 20],
  [{ OTEL_TRACES_SAMPLER: 'parentbased_always_on' }, undefined],
])('the limit with %j is %s', (source, expected) => {
  expect(readTelemetry('service', source).sampling.perSecond).toBe(expected)
})

test('a process begins no more traces than its limit, and continues those of others', async () => {
  const collector = await startCollector()
  const variables = { ...otelVariables(collector), OTEL_TRACES_SAMPLER: '' }
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value)
  const telemetry = await startTelemetry('test', reason => console.error(reason))
  onTestFinished(async () => {
    await telemetry.stop()
    vi.unstubAllEnvs()
    await collector.stop()
  })
  const started = tracing as Tracing

  const spans = Array.from({ length: 1_000 }, () => started.startSpan({ name: 'first', parent: 'none' }))
  const [first, last] = [spans[0], spans.at(-1)] as [OpenSpan, OpenSpan]
  expect([first.isSampled, last.isSampled]).toEqual([true, false])
  expect(last.traceparent()).toMatch(/-00$/)
  const inside = first.run(() => started.startSpan({ name: 'inside' }))
  expect(inside.isSampled).toBe(true)
  const parent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
  expect(started.startSpan({ name: 'continued', parent }).isSampled).toBe(true)
  const ids = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' }
  expect(started.startSpan({ name: 'run', parent: 'none', ids }).isSampled).toBe(true)
})
