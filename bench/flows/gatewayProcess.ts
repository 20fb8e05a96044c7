import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Temporal } from '../../test/support/world/settings.ts'
import { credentials } from '../bookings/places.ts'

export interface GatewayProcess {
  readonly pid: number
  stop(): Promise<void>
}

/** Starts the gateway as a separate process. Resolves once its callback URL is registered with the service. */
export async function startGatewayProcess(
  serviceOrigin: string,
  { address, namespace }: Temporal,
  variables: Readonly<Record<string, string>> = {},
): Promise<GatewayProcess> {
  const child = spawn(process.execPath, ['gateway/main.ts'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: {
      PATH: process.env.PATH,
      TEMPORAL_ADDRESS: address,
      TEMPORAL_NAMESPACE: namespace,
      LOCKERFLOW_GATEWAY_HOST: '127.0.0.1',
      LOCKERFLOW_GATEWAY_PORT: '0',
      LOCKERFLOW_CALLBACK_KEY: 'a-key-of-the-benchmarks-alone',
      LOCKERFLOW_BASE_URL: serviceOrigin,
      LOCKERFLOW_AUTH_URL: serviceOrigin,
      LOCKERFLOW_CLIENT_ID: credentials.clientId,
      LOCKERFLOW_CLIENT_SECRET: credentials.clientSecret,
      ...variables,
    },
  })
  const exited = once(child, 'exit')
  const ended = exited.then(([code]) => {
    throw new Error(`the gateway ended with ${code}`)
  })
  ended.catch(() => undefined)
  await Promise.race([once(createInterface(child.stdout), 'line'), ended])
  return {
    pid: child.pid ?? 0,
    async stop() {
      child.kill('SIGTERM')
      await exited
    },
  }
}
