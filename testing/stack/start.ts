import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Client, Connection, type DataConverter } from '@temporalio/client'
import { type Logger, pino } from 'pino'
import { createFlowClient } from '#client'
import { flowEndpoint } from '#client/nexus'
import { defaultUidSignatureScheme } from '#contract'
import { createApi } from '#contract/client'
import { fullProfile, taskQueue } from '#contract/terms'
import { startGateway } from '#gateway'
import { type CodecServer, startCodecServer } from '#gateway/codecServer'
import { createDataConverter } from '#platform/codec'
import { freePort, requireFreePorts } from '#platform/ports'
import { clientInterceptors } from '#platform/telemetry/temporal'
import { defaultSettings, startService } from '#service'
import { ensureRuntime, startWorker } from '#worker'
import { freePorts, ip, portsToBind } from './ports.ts'
import type { Stack, StackOptions } from './stack.ts'
import { createStarter, type Starter } from './starter.ts'
import { ensureNexusEndpoint, findTemporal, useTemporal } from './temporal.ts'

/** The API client of the built-in topology. */
const demoCredentials = { clientId: 'acme', clientSecret: 'acme-secret' }

/** Milliseconds. Callbacks of the service wake the flows of a stack. */
const rarePolls = { initial: 3_600_000, maximum: 86_400_000 }

interface CodecOptions {
  readonly dataConverter: DataConverter
  readonly port: number
  readonly namespace: string
  readonly uiUrl: string | undefined
  readonly log: Logger
}

/**
 * Starts Temporal's server, service, gateway and worker, and waits until all of them are ready. If one does not start,
 * those before it are stopped.
 * @throws Error that names the setting of each port in use
 */
export async function startStack(options: StackOptions): Promise<Stack> {
  const hasOwnTemporal = findTemporal(options.temporal) === undefined
  await requireFreePorts(ip, portsToBind(options, options.ports ?? freePorts, hasOwnTemporal))
  ensureRuntime()
  const starter = createStarter(options.progress, options.interrupted)
  try {
    return await startParts(options, starter)
  } catch (error) {
    // The failure of the start is the cause, even if a part does not stop.
    await starter.stop().catch(() => undefined)
    throw error
  }
}

async function startParts(options: StackOptions, starter: Starter): Promise<Stack> {
  const { folder, ports = freePorts, ring, parts = {} } = options
  const { credentials = demoCredentials } = parts
  const log = pino({ level: 'warn' }, pino.destination(join(folder, 'lockerflow.log')))
  const databaseUrl = pathToFileURL(join(folder, 'service.db')).href
  // Known before the Web UI starts, which gets it as an argument.
  const codecPort = ports.codec || (await freePort(ip))
  const temporal = await useTemporal(starter, options, ports, codecPort)
  const { address, namespace, uiUrl } = temporal
  const converting = ring && { dataConverter: createDataConverter(ring) }
  const codec = converting && (await startCodec(starter, { ...converting, port: codecPort, namespace, uiUrl, log }))
  const settings = {
    ...defaultSettings,
    databaseUrl,
    port: ports.service,
    log,
    ...parts.service,
  }
  const service = await starter.start('the service', startService(settings), part => part.stop())
  const access = { baseUrl: service.address, authUrl: service.address, ...credentials }
  const orchestrator = { api: access, temporal: { address }, namespace, profile: fullProfile, ...converting }
  const flowApi = options.flowApi?.settings(access)
  const gateway = await startGatewayOf(starter, {
    ...orchestrator,
    port: ports.gateway,
    log,
    flowApi,
    ...parts.gateway,
  })
  const ofWorker = (await parts.worker?.()) ?? {}
  const worker = { ...orchestrator, taskQueue, environment: 'staging' as const, pollInterval: rarePolls, ...ofWorker }
  await starter.start('the worker', startWorker(worker), part => part.stop())
  await starter.wait(gateway.ready)
  // Stays open until the process ends: on a closed connection the client's repetition of a call throws out of its caller's reach.
  const connection = await starter.start('the clients', Connection.connect({ address }), async () => undefined)
  // Endpoints belong to the whole server. Another one has those of its operator.
  if (temporal.isOwn) await ensureNexusEndpoint(connection, { name: flowEndpoint, namespace, taskQueue })
  const api = createApi(access)
  starter.add(() => api.close())
  const client = new Client({ connection, namespace, interceptors: { workflow: clientInterceptors() }, ...converting })
  return {
    temporalAddress: address,
    namespace,
    uiUrl,
    serviceAddress: service.address,
    gatewayAddress: gateway.address,
    flowApiAddress: gateway.flowApiAddress,
    codecAddress: codec?.address,
    credentials,
    flows: createFlowClient(client, { taskQueue: worker.taskQueue }),
    api,
    service,
    client,
    stop: () => starter.stop(),
  }
}

type GatewayOfStack = Omit<Parameters<typeof startGateway>[0], 'host' | 'keys' | 'uidSignatureScheme'> & {
  readonly log: Logger
}

function startGatewayOf(starter: Starter, settings: GatewayOfStack) {
  const keys = { current: randomBytes(24).toString('base64url') }
  const starting = startGateway({ host: ip, keys, uidSignatureScheme: defaultUidSignatureScheme, ...settings })
  return starter.start('the gateway', starting, part => part.stop())
}

/** It listens on loopback, and only pages of the Web UI may call it. */
function startCodec(starter: Starter, { uiUrl, ...options }: CodecOptions): Promise<CodecServer> {
  const origins = uiUrl === undefined ? [] : [uiUrl, uiUrl.replace(ip, 'localhost')]
  const starting = startCodecServer({ ...options, host: ip, origins, encodes: true })
  return starter.start('the codec server', starting, part => part.stop())
}
