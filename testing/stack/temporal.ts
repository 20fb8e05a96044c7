import { join } from 'node:path'
import { Connection, isGrpcServiceError } from '@temporalio/client'
import { grpcStatuses } from '#contract/terms'
import { searchAttributes } from '#flows'
import { readEnvironment } from '#platform/environment'
import { startTemporalServer } from '../temporal/index.ts'
import { ip } from './ports.ts'
import type { StackPorts } from './settings.ts'
import type { StackOptions, TemporalPlace } from './stack.ts'
import type { Starter } from './starter.ts'

/** A server that the stack uses, its own or another one. */
export interface UsedTemporal extends TemporalPlace {
  readonly uiUrl: string | undefined
  /** The stack has started it. */
  readonly isOwn: boolean
}

type UseOptions = Pick<StackOptions, 'progress' | 'temporal' | 'webUi'> & { readonly folder: string }

/** Milliseconds. A wrong address can neither refuse nor answer. */
const connectTimeout = 4_000

interface NexusEndpoint {
  readonly name: string
  /** Where the workers of the flows poll. */
  readonly namespace: string
  readonly taskQueue: string
}

/** The server that the caller or TEMPORAL_ADDRESS names; undefined if the stack has to start one. */
export function findTemporal(temporal: StackOptions['temporal']): TemporalPlace | undefined {
  if (temporal === 'own') return undefined
  if (temporal !== undefined) return temporal
  const { temporalAddress: address, temporalNamespace: namespace } = readEnvironment()
  return address === undefined ? undefined : { address, namespace }
}

/**
 * Uses the server that is named, or starts one.
 * @param codecPort undefined without a codec server. The Web UI gets the address of the codec server as an argument, before that server runs
 */
export async function useTemporal(
  starter: Starter,
  { folder, progress = () => undefined, temporal, webUi = true }: UseOptions,
  ports: StackPorts,
  codecPort: number | undefined,
): Promise<UsedTemporal> {
  const place = findTemporal(temporal)
  if (place !== undefined) {
    if (temporal === undefined) {
      progress(`using Temporal at ${place.address}, which TEMPORAL_ADDRESS names`)
      // A wrong address ends the start here, before the other parts.
      await requireReachable(place.address)
    }
    return { ...place, uiUrl: undefined, isOwn: false }
  }
  const namespace = temporal === 'own' ? 'default' : readEnvironment().temporalNamespace
  const starting = startTemporalServer({
    databaseFile: join(folder, 'temporal.db'),
    logFile: join(folder, 'temporal.log'),
    ip,
    namespace,
    searchAttributes,
    progress,
    port: ports.temporal,
    uiPort: ports.ui,
    headless: !webUi,
    ...(codecPort !== undefined && { uiCodecEndpoint: `http://${ip}:${codecPort}` }),
  })
  const { address, uiUrl } = await starter.start('Temporal', starting, server => server.stop())
  return { address, namespace, uiUrl, isOwn: true }
}

/** @throws Error if no server of Temporal answers at the address */
async function requireReachable(address: string): Promise<void> {
  const connection = await Connection.connect({ address, connectTimeout }).catch((error: Error) => {
    throw new Error(`TEMPORAL_ADDRESS: Temporal cannot be reached at ${address}: ${error.message}`)
  })
  await connection.close()
}

/** Creates the endpoint through which workflows of other namespaces call the flows. One of this name stays as it is. */
export async function ensureNexusEndpoint(connection: Connection, { name, ...worker }: NexusEndpoint): Promise<void> {
  try {
    await connection.operatorService.createNexusEndpoint({ spec: { name, target: { worker } } })
  } catch (error) {
    if (!isGrpcServiceError(error) || error.code !== grpcStatuses.alreadyExists) throw error
  }
}
