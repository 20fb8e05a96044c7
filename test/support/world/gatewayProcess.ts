import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { inject } from 'vitest'
import { childEnvironment } from '../childEnvironment.ts'
import { apiSettings } from './settings.ts'

export interface GatewayProcessOptions {
  /** Further variables of its environment. */
  readonly variables?: Readonly<Record<string, string>>
  /** Receives the lines of its log. */
  readonly onLine?: (line: string) => void
}

/** Starts a gateway as a separate process, so that a flood costs its processor time only. Resolves when it is ready. */
export async function startGatewayProcess(
  serviceUrl: string,
  key: string,
  { variables, onLine }: GatewayProcessOptions = {},
): Promise<[ChildProcess, address: string]> {
  const { address, namespace } = inject('temporal')
  const { clientId, clientSecret } = apiSettings(serviceUrl)
  const child = spawn(process.execPath, [fileURLToPath(new URL('../../../gateway/main.ts', import.meta.url))], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...childEnvironment,
      TEMPORAL_ADDRESS: address,
      TEMPORAL_NAMESPACE: namespace,
      LOCKERFLOW_GATEWAY_HOST: '127.0.0.1',
      LOCKERFLOW_GATEWAY_PORT: '0',
      LOCKERFLOW_CALLBACK_KEY: key,
      LOCKERFLOW_BASE_URL: serviceUrl,
      LOCKERFLOW_AUTH_URL: serviceUrl,
      LOCKERFLOW_CLIENT_ID: clientId,
      LOCKERFLOW_CLIENT_SECRET: clientSecret,
      ...variables,
    },
  })
  createInterface(child.stderr).on('line', line => onLine?.(line))
  for await (const line of createInterface(child.stdout)) {
    const [, found] = /^gateway ready: callbacks at (\S+)\/callbacks$/.exec(line) ?? []
    if (found !== undefined) return [child, found]
  }
  throw new Error('the gateway ended before it was ready')
}
