import { pino } from 'pino'
import { defaultUidSignatureScheme } from '#contract'
import type { ApiSettings } from '#contract/client'
import { fullProfile } from '#contract/terms'
import type { GatewaySettings } from '#gateway'
import { demoTopology, type Topology } from '#service'
import type { WorkerSettings } from '#worker'
import { bundle } from './bundle.ts'

export interface Temporal {
  readonly address: string
  readonly namespace: string
}

export const silentLog = pino({ level: 'silent' })

/** Milliseconds; too long for a test that depends on callbacks to pass without them. */
export const rarePolls = { initial: 3_600_000, maximum: 86_400_000 }

/** The demonstration topology with enough lockers for a whole test file. */
export const topology: Topology = {
  ...demoTopology,
  pickUpPoints: demoTopology.pickUpPoints.map(pickUpPoint =>
    pickUpPoint.pupUid === 'pup-1'
      ? { ...pickUpPoint, lockers: [{ names: '1-200', width: 40, height: 40, length: 60 }] }
      : pickUpPoint,
  ),
}

/** An API client of the demonstration topology. */
export function apiSettings(address: string, clientId = 'acme'): ApiSettings {
  return { baseUrl: address, authUrl: address, clientId, clientSecret: `${clientId}-secret` }
}

/** The settings of a worker in staging. */
export async function workerSettings(
  { address, namespace }: Temporal,
  taskQueue: string,
  api: ApiSettings,
): Promise<WorkerSettings> {
  return {
    temporal: { address },
    namespace,
    taskQueue,
    environment: 'staging',
    api,
    profile: fullProfile,
    pollInterval: rarePolls,
    bundle: await bundle(),
  }
}

/** The settings of a gateway on a free loopback port. */
export function gatewaySettings(
  { address, namespace }: Temporal,
  api: ApiSettings,
  keys: GatewaySettings['keys'],
): GatewaySettings {
  return {
    host: '127.0.0.1',
    port: 0,
    keys,
    uidSignatureScheme: defaultUidSignatureScheme,
    profile: fullProfile,
    api,
    temporal: { address },
    namespace,
    log: silentLog,
  }
}
