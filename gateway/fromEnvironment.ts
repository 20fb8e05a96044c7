import { readEnvironment } from './environment.ts'
import { type Gateway, startGateway } from './gateway.ts'
import type { GatewaySettings } from './settings.ts'

/**
 * Starts a gateway in this process. Settings that are absent come from the environment, as those of the process
 * `lockerflow gateway` do. It listens when the promise resolves and becomes ready later: neither the service nor Temporal
 * must be up.
 *
 * ```ts
 * const gateway = await startGateway({ port: 8081 })
 * process.once('SIGTERM', () => gateway.stop())
 * await gateway.ready
 * ```
 * @throws SettingsError with every problem of the environment
 * @throws Error when the port is taken or an address is malformed
 */
export async function startGatewayFromEnvironment(settings: Partial<GatewaySettings> = {}): Promise<Gateway> {
  const present = Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined))
  return startGateway({ ...readEnvironment(undefined, undefined, settings), ...present })
}
