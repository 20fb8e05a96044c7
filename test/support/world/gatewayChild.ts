import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { childEnvironment } from '../childEnvironment.ts'
import type { Temporal } from './settings.ts'

export interface GatewayChildSettings {
  readonly baseUrl: string
  readonly authUrl: string
  readonly clientId: string
  readonly clientSecret: string
  readonly temporal: Temporal
  /** The callback key. */
  readonly key: string
  /** Further variables of its environment. */
  readonly variables?: Readonly<Record<string, string>> | undefined
  /** Receives the lines of its log. */
  readonly onLine?: ((line: string) => void) | undefined
}

export interface GatewayChild {
  readonly child: ChildProcess
  readonly address: string
  stop(): Promise<void>
}

/** Starts a gateway as a separate process, so that a flood costs its processor time only. Resolves when it is ready. */
export async function startGatewayChild(settings: GatewayChildSettings): Promise<GatewayChild> {
  const { baseUrl, authUrl, clientId, clientSecret, temporal, key, variables, onLine } = settings
  const child = spawn(process.execPath, [fileURLToPath(new URL('../../../gateway/main.ts', import.meta.url))], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...childEnvironment,
      TEMPORAL_ADDRESS: temporal.address,
      TEMPORAL_NAMESPACE: temporal.namespace,
      LOCKERFLOW_GATEWAY_HOST: '127.0.0.1',
      LOCKERFLOW_GATEWAY_PORT: '0',
      LOCKERFLOW_CALLBACK_KEY: key,
      LOCKERFLOW_BASE_URL: baseUrl,
      LOCKERFLOW_AUTH_URL: authUrl,
      LOCKERFLOW_CLIENT_ID: clientId,
      LOCKERFLOW_CLIENT_SECRET: clientSecret,
      ...variables,
    },
  })
  const exited = once(child, 'exit')
  createInterface(child.stderr).on('line', line => onLine?.(line))
  for await (const line of createInterface(child.stdout)) {
    const [, address] = /^gateway ready: callbacks at (\S+)\/callbacks$/.exec(line) ?? []
    if (address === undefined) continue
    const stop = async () => {
      child.kill('SIGTERM')
      await exited
    }
    return { child, address, stop }
  }
  throw new Error('the gateway ended before it was ready')
}
