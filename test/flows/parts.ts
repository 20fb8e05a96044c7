import { randomBytes } from 'node:crypto'
import { Client, Connection } from '@temporalio/client'
import { pino } from 'pino'
import { createApi } from '#api'
import { defaultWeakScheme } from '#contract'
import { fullProfile, type ServiceProfile } from '#contract/terms'
import type { GatewaySettings } from '#gateway'
import { demonstration, startService } from '#service'
import type { WorkerSettings } from '#worker'
import { layWire } from '../wire/wire.ts'
import { bundle } from './bundle.ts'

export interface Temporal {
  readonly address: string
  readonly namespace: string
}

export interface WorldOptions {
  readonly profile?: ServiceProfile
  /** Milliseconds; long by default, so that a test that needs callbacks fails without them. */
  readonly looks?: { readonly first: number; readonly longest: number }
}

const credentials = { clientId: 'acme', clientSecret: 'acme-secret' }

/** Enough lockers for a whole file of tests. */
const topology = {
  ...demonstration,
  pickUpPoints: demonstration.pickUpPoints.map(pickUpPoint =>
    pickUpPoint.pupUid === 'pup-1'
      ? { ...pickUpPoint, lockers: [{ names: '1-200', width: 40, height: 40, length: 60 }] }
      : pickUpPoint,
  ),
}

/** What a world is made of: the service, the wires on both ways, clients, and how worker and gateway are started. */
export async function startParts(
  { address, namespace }: Temporal,
  taskQueue: string,
  gatewayAddress: () => string,
  { profile = fullProfile, looks = { first: 3_600_000, longest: 86_400_000 } }: WorldOptions,
) {
  const log = pino({ level: 'silent' })
  const service = await startService({ topology, log })
  const toService = await layWire(() => service.address)
  const toGateway = await layWire(gatewayAddress)
  const direct = { baseUrl: service.address, authUrl: service.address, ...credentials }
  const api = createApi(direct)
  const connection = await Connection.connect({ address })
  const workerSettings: WorkerSettings = {
    temporal: { address },
    namespace,
    taskQueue,
    environment: 'staging',
    api: { ...direct, baseUrl: toService.address },
    profile,
    looks,
    bundle: await bundle(),
  }
  const gatewaySettings: GatewaySettings = {
    host: '127.0.0.1',
    port: 0,
    url: toGateway.address,
    keys: { current: randomBytes(24).toString('base64url') },
    weakScheme: defaultWeakScheme,
    profile,
    api: direct,
    temporal: { address },
    namespace,
    log,
  }
  return {
    service,
    toService,
    toGateway,
    api,
    client: new Client({ connection, namespace }),
    workerSettings,
    gatewaySettings,
    async stop() {
      await service.stop()
      await Promise.all([api.close(), toService.stop(), toGateway.stop(), connection.close()])
    },
  }
}
