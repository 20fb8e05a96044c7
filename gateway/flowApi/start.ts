import { Client, Connection, type ConnectionOptions } from '@temporalio/client'
import type { DataConverter } from '@temporalio/common'
import { createFlowClient } from '#client'
import { largeResponses } from '#client/connection'
import { flows as builtIn } from '#flows'
import { loadFlows, rejectFaults } from '#flows/check'
import type { FlowDeclaration } from '#flows/declaration'
import { listen } from '#platform/http'
import { loadFile, toListenerAddress } from '#platform/settings'
import { clientInterceptors } from '#platform/telemetry/temporal'
import { reconnect } from '../grpc.ts'
import { flowApiDocument } from './document.ts'
import { createRetries } from './retries.ts'
import { createCallerFlows } from './runOperation.ts'
import { createFlowApi, type FlowApiParts } from './server.ts'
import { defaultFlowApiLimits, type FlowApiSettings } from './settings.ts'
import { createAuthenticate } from './tokens/authenticate.ts'

/** The flow API of a running gateway. */
export interface FlowApi {
  /** For instance `http://127.0.0.1:8085`. */
  readonly address: string
  /** Answers the requests in flight and stops. @param timeout milliseconds until the remaining connections are closed */
  stop(timeout: number): Promise<void>
}

/** The parts of a gateway that its flow API shares. */
export interface FlowApiSurroundings
  extends Pick<FlowApiParts, 'log' | 'clock' | 'readiness' | 'observer' | 'stopping'> {
  readonly temporal: ConnectionOptions
  readonly namespace: string
  readonly dataConverter?: DataConverter
  readonly taskQueue?: string
}

export type Declarations = Pick<FlowApiSettings, 'flows' | 'flowFiles'>

/**
 * Starts the flow API of a gateway. It has a connection of its own to Temporal, so its waiting calls do not delay signals.
 * @throws Error when the port is taken or a declaration has a fault
 */
export async function startFlowApi(
  settings: FlowApiSettings,
  { temporal, namespace, dataConverter, taskQueue, log, clock, ...parts }: FlowApiSurroundings,
): Promise<FlowApi> {
  const limits = { ...defaultFlowApiLimits, ...settings.limits }
  const own = await loadFlowApiFlows(settings)
  const declared = new Map<string, FlowDeclaration>([
    ...Object.entries(builtIn),
    ...own.map(each => [each.name, each] as const),
  ])
  const channelArgs = { ...reconnect, ...largeResponses, ...temporal.channelArgs }
  const retries = createRetries()
  const connection = Connection.lazy({ ...temporal, channelArgs, interceptors: retries.interceptors })
  const client = new Client({
    connection,
    namespace,
    interceptors: { workflow: clientInterceptors() },
    ...(dataConverter && { dataConverter }),
  })
  const options = { flows: own, ...(taskQueue !== undefined && { taskQueue }) }
  const flows = createFlowClient(client, options)
  const flowsOf = createCallerFlows(client, options)
  const { issuers, apiDocs = true, decisionKeys = [], trustProxy = false } = settings
  const authenticate = createAuthenticate({ ...limits, issuers, clock, log })
  // A client takes it as the address from which the document came.
  const createDocument = (version: string) => flowApiDocument({ url: '/', version, flows: [...declared.keys()] })
  const decisions = decisionKeys.length > 0 ? { client, keys: decisionKeys } : undefined
  const forced = new AbortController()
  const app = createFlowApi({
    ...parts,
    forced: forced.signal,
    log,
    clock,
    flows,
    flowsOf,
    client,
    declared,
    authenticate,
    trustProxy,
    limits,
    createDocument: apiDocs ? createDocument : undefined,
    decisions,
  })
  let address: string
  try {
    address = toListenerAddress(settings.host, await listen(app, settings))
  } catch (error) {
    await connection.close()
    throw error
  }
  return {
    address,
    async stop(timeout) {
      const timer = setTimeout(() => {
        forced.abort()
        app.server.closeAllConnections()
      }, timeout)
      await app.close()
      clearTimeout(timer)
      retries.stop()
      await retries.end()
      await connection.close()
    },
  }
}

/**
 * Returns the declared flows of a flow API. Their activities and calendars are those of the worker, and not checked.
 * @throws SettingsError with a problem for each fault of the files
 */
export async function loadFlowApiFlows({
  flows = [],
  flowFiles = [],
}: Declarations): Promise<readonly FlowDeclaration[]> {
  const loaded = await loadFile('LOCKERFLOW_FLOWS', async () => {
    const { flows, faults } = await loadFlows(flowFiles, { taken: Object.keys(builtIn) })
    rejectFaults(faults)
    return Object.values(flows)
  })
  return [...flows, ...loaded]
}
