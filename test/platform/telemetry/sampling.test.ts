import { expect, onTestFinished, test, vi } from 'vitest'
import { startTelemetry, type Tracing, tracing } from '#platform/telemetry'
import { eventually } from '../../support/eventually.ts'
import { startCollector } from '../../support/telemetry/collector.ts'
import { otelVariables } from '../../support/telemetry/useTelemetry.ts'

const sampled = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'

test('a trace that is not sampled costs two ids, whose context all callees continue', async () => {
  const collector = await startCollector()
  const variables = { ...otelVariables(collector), OTEL_TRACES_SAMPLER: 'parentbased_always_off' }
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value)
  const telemetry = await startTelemetry('test', reason => console.error(reason))
  onTestFinished(async () => {
    await telemetry.stop()
    vi.unstubAllEnvs()
    await collector.stop()
  })
  const started = tracing as Tracing

  const left = started.startSpan({ name: 'left out', parent: 'none' })
  expect(left.traceparent()).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/)
  left.run(() => {
    expect(started.isSampled()).toBe(false)
    started.inSpan({ name: 'inside', attributes: { 'lockerflow.operation': 'x' } }, span => {
      span.fail('Error')
      expect(span.traceparent()).toBe(left.traceparent())
      expect(span.headers()).toEqual({ traceparent: left.traceparent() })
      expect(span.logFields()).toEqual(left.logFields())
      expect(started.traceparent()).toBe(left.traceparent())
    })
  })
  left.end()

  // A parent that another process has sampled decides otherwise, inside of the same span too.
  const inside = left.run(() => started.startSpan({ name: 'sampled', parent: sampled }))
  inside.run(() => {
    expect(started.isSampled()).toBe(true)
    started.inSpan({ name: 'inside of sampled', attributes: { 'lockerflow.operation': 'y' } }, () => undefined)
  })
  inside.end()
  // The span has ended, and its trace is still recorded.
  inside.run(() => started.startSpan({ name: 'later' }).end())

  await eventually(() => collector.spans.length > 2 || undefined)
  expect(collector.spans.map(({ name }) => name).sort()).toEqual(['inside of sampled', 'later', 'sampled'])
  const [child] = collector.spans.filter(({ name }) => name === 'inside of sampled')
  expect(child).toMatchObject({ attributes: { 'lockerflow.operation': 'y' } })
})
