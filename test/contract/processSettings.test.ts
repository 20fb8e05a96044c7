import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { runGateway } from '../../gateway/main.ts'
import { runService } from '../../service/main.ts'
import { runWorker } from '../../worker/main.ts'

const telemetry = { OTEL_TRACES_SAMPLER: 'sometimes', OTEL_EXPORTER_PROMETHEUS_HOST: 'metrics.example' }
const staging = { LOCKERFLOW_ENVIRONMENT: 'staging', ...telemetry }

/** The variables that the message of a failed start names. */
async function namedBy(start: Promise<unknown>): Promise<readonly string[]> {
  const message = await start.then(
    () => 'started',
    (error: Error) => error.message,
  )
  return [...new Set(message.match(/^\w+(?=: )/gm))].sort()
}

test.each([
  [
    'service',
    () =>
      runService(() => undefined, {
        ...{ LOCKERFLOW_ENVIRONMENT: 'production', ...telemetry },
        LOCKERFLOW_SERVICE_PORT: 'eighty',
        LOCKERFLOW_DATABASE_URL: 'postgres://lockerflow:of-our-own@postgres/lockerflow?sslmode=disable',
        LOCKERFLOW_STORE_KEYS: `2026-11:${randomBytes(32).toString('base64')}`,
        LOCKERFLOW_PUBLIC_URL: 'https://lockers.example',
        LOCKERFLOW_HARDWARE_URL: 'https://adapter.example',
        LOCKERFLOW_HARDWARE_KEY: 'hardware-key-of-our-own',
      }),
    ['LOCKERFLOW_DATABASE_URL', 'LOCKERFLOW_SERVICE_PORT', 'LOCKERFLOW_TOPOLOGY'],
  ],
  [
    'gateway',
    () =>
      runGateway(() => undefined, {
        ...staging,
        LOCKERFLOW_GATEWAY_PORT: 'eighty',
        LOCKERFLOW_FLOW_API_PORT: '8085',
        LOCKERFLOW_FLOW_API_ISSUER: 'https://login.example',
      }),
    ['LOCKERFLOW_FLOW_API_AUDIENCE', 'LOCKERFLOW_GATEWAY_PORT'],
  ],
  [
    'worker',
    () => runWorker(() => undefined, { ...staging, LOCKERFLOW_POLL_INTERVAL: 'soon' }),
    ['LOCKERFLOW_POLL_INTERVAL'],
  ],
] as const)(
  'a %s names its wrong settings and those of telemetry in one message',
  async (_process, start, expected) => {
    expect(await namedBy(start())).toEqual([...expected, ...Object.keys(telemetry)].sort())
  },
)
