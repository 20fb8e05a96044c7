import { expect, onTestFinished, test, vi } from 'vitest'
import { startTelemetry, tracing } from '#platform/telemetry'
import { startCollector } from '../../support/telemetry/collector.ts'
import { otelVariables } from '../../support/telemetry/useTelemetry.ts'

test('the environment that is given has the variables', async () => {
  const collector = await startCollector()
  onTestFinished(async () => {
    vi.unstubAllEnvs()
    await collector.stop()
  })
  const source = otelVariables(collector)
  // Restores those that the SDK gets.
  for (const name of Object.keys(source)) vi.stubEnv(name, undefined)
  const telemetry = await startTelemetry('test', reason => console.error(reason), { source })
  tracing?.startSpan({ name: 'given' }).end()
  await telemetry.stop()
  expect(collector.spans).toMatchObject([{ name: 'given', service: 'lockerflow-test' }])
})
