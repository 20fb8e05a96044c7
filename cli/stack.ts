import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { Client, Connection, type DataConverter } from '@temporalio/client'
import { type Logger, pino } from 'pino'
import { type Api, type ApiSettings, createApi } from '#api'
import { createFlowClient, type FlowClient } from '#client'
import { createDataConverter, type KeyRing, openPersonalKeys } from '#codec'
import { startCodecServer } from '#codecServer'
import { defaultUidSignatureScheme } from '#contract'
import { fullProfile, taskQueue } from '#contract/terms'
import { searchAttributes } from '#flows'
import { type GatewaySettings, startGateway } from '#gateway'
import { startSimulator } from '#hardware'
import { flowEndpoint } from '#nexus'
import { defaultSettings, demoTopology, listDoors, type Service, type Settings, startService } from '#service'
import { clientInterceptors } from '#telemetry/temporal'
import { ensureRuntime, startWorker, type WorkerSettings } from '#worker'
import { readEnvironment } from './environment.ts'
import { unlessAborted } from './interruption.ts'
import { ensureNexusEndpoint } from './nexusEndpoint.ts'
import { freePort, requireFreePorts } from './ports.ts'
import { portSettings, type StackPorts } from './settings.ts'
import { type Progress, startTemporalServer } from './temporal/index.ts'

export interface StackOptions {
  /** Holds the files of Temporal's server and of the service. */
  readonly folder: string
  /** Free ports if absent. */
  readonly ports?: StackPorts
  /** Encrypts and decrypts histories, with a codec server for the Web UI. */
  readonly ring?: KeyRing
  readonly progress: Progress
  /** Starts a simulator of the locker hardware, and opens doors through it. */
  readonly hardware?: boolean
  /** Stops the start when it aborts. */
  readonly interrupted?: AbortSignal
  /** A running Temporal server, or `own`. By default TEMPORAL_ADDRESS, and without it a server of its own. */
  readonly temporal?: TemporalPlace | 'own'
  /** False starts no Web UI. */
  readonly webUi?: boolean
  /** Settings in which the parts differ from those of a developer's machine. */
  readonly parts?: StackParts
}

export interface TemporalPlace {
  readonly address: string
  readonly namespace: string
}

export interface StackParts {
  readonly service?: Partial<Settings>
  readonly gateway?: Partial<GatewaySettings>
  /** An API client of the topology; that of the built-in one by default. */
  readonly credentials?: Stack['credentials']
  /** Called when the service and the gateway run. */
  readonly worker?: () => Promise<Partial<WorkerSettings>>
}

/** Temporal's server as a child process; service, gateway and worker in this process. */
export interface Stack {
  readonly temporalAddress: string
  readonly namespace: string
  /** Undefined if TEMPORAL_ADDRESS names the server. */
  readonly uiUrl: string | undefined
  readonly serviceAddress: string
  readonly gatewayAddress: string
  /** Undefined without a simulator. */
  readonly hardwareAddress: string | undefined
  /** Undefined without a key ring. */
  readonly codecAddress: string | undefined
  readonly credentials: Pick<ApiSettings, 'clientId' | 'clientSecret'>
  readonly flows: FlowClient
  readonly api: Api
  readonly service: Service
  readonly client: Client
  /** Stops all parts. The client stays open, since calls of others may still be repeated on it. */
  stop(): Promise<void>
}

const ip = '127.0.0.1'

/** The API client of the built-in topology. */
const demoCredentials = { clientId: 'acme', clientSecret: 'acme-secret' }

const freePorts: StackPorts = { service: 0, gateway: 0, hardware: 0, temporal: 0, ui: 0, codec: 0 }

/**
 * Starts Temporal's server, service, gateway and worker, and waits until all of them are ready. If one does not start,
 * those before it are stopped.
 * @throws Error that names the setting of each port in use
 */
export async function startStack(options: StackOptions): Promise<Stack> {
  const { folder, ports = freePorts, ring, progress, interrupted = new AbortController().signal, parts = {} } = options
  const { credentials = demoCredentials } = parts
  await requireFreePorts(ip, portsToBind(options, ports))
  ensureRuntime()
  const log = pino({ level: 'warn' }, pino.destination(join(folder, 'lockerflow.log')))
  const stops: (() => Promise<unknown>)[] = []
  async function stop(): Promise<void> {
    for (let next = stops.pop(); next !== undefined; next = stops.pop()) await next()
  }
  async function start<Part>(name: string, starting: Promise<Part>, end: (part: Part) => Promise<unknown>) {
    progress(`starting ${name}`)
    const part = await unlessAborted(starting, interrupted)
    stops.push(() => end(part))
    return part
  }

  try {
    // Known before the Web UI starts, which gets it as an argument.
    const codecPort = ports.codec || (await freePort(ip))
    const temporal = await start('Temporal', startTemporal(options, codecPort), server => server.stop())
    const { address, namespace, uiUrl } = temporal
    const keys = ring && openPersonalKeys(`file:${join(folder, 'service.db')}`, ring)
    if (keys) stops.push(() => keys.close())
    const codec =
      ring &&
      (await start(
        'the codec server',
        startCodec(createDataConverter(ring, keys), codecPort, namespace, uiUrl, log),
        part => part.stop(),
      ))
    const converting = ring && { dataConverter: createDataConverter(ring, keys) }
    const running: { service?: Service } = {}
    const hardwareKey = randomBytes(24).toString('base64url')
    const simulator = options.hardware
      ? await start(
          'the hardware simulator',
          startSimulator({
            host: ip,
            port: ports.hardware,
            keys: [hardwareKey],
            eventsUrl: () => running.service && `${running.service.address}/hardware/events`,
            closeAfter: 5_000,
            doors: listDoors(demoTopology),
          }),
          part => part.stop(),
        )
      : undefined
    const hardwareAdapters = simulator && [
      { name: undefined, url: simulator.address, keys: [hardwareKey], pickUpPoints: undefined },
    ]
    const overrides = { port: ports.service, log, ...(hardwareAdapters && { hardwareAdapters }), ...parts.service }
    const service = await start('the service', startEmbeddedService(folder, overrides), part => part.stop())
    running.service = service
    const api = { baseUrl: service.address, authUrl: service.address, ...credentials }
    const orchestrator = { api, temporal: { address }, namespace, profile: fullProfile, ...converting }
    const gateway = await start(
      'the gateway',
      startGateway({
        ...orchestrator,
        host: ip,
        port: ports.gateway,
        keys: { current: randomBytes(24).toString('base64url') },
        uidSignatureScheme: defaultUidSignatureScheme,
        log,
        ...parts.gateway,
      }),
      part => part.stop(),
    )
    const ofWorker = (await parts.worker?.()) ?? {}
    await start(
      'the worker',
      startWorker({
        ...orchestrator,
        taskQueue,
        environment: 'staging',
        pollInterval: { initial: 3_600_000, maximum: 86_400_000 },
        ...ofWorker,
      }),
      part => part.stop(),
    )
    await unlessAborted(gateway.ready, interrupted)
    // Stays open until the process ends: on a closed connection the client's repetition of a call throws out of its caller's reach.
    const connection = await start('the clients', Connection.connect({ address }), async () => undefined)
    // Endpoints belong to the whole server. Another one has those of its operator.
    if (temporal.isOwn) await ensureNexusEndpoint(connection, { name: flowEndpoint, namespace, taskQueue })
    const ownApi = createApi(api)
    stops.push(() => ownApi.close())
    const client = new Client({
      connection,
      namespace,
      interceptors: { workflow: clientInterceptors() },
      ...converting,
    })
    return {
      temporalAddress: address,
      namespace,
      uiUrl,
      serviceAddress: service.address,
      gatewayAddress: gateway.address,
      hardwareAddress: simulator?.address,
      codecAddress: codec?.address,
      credentials,
      flows: createFlowClient(client, { taskQueue: ofWorker.taskQueue ?? taskQueue }),
      api: ownApi,
      service,
      client,
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

function portsToBind({ hardware = false, ring, temporal }: StackOptions, ports: StackPorts) {
  const temporalAddress = temporal === undefined ? readEnvironment().temporalAddress : toPlace(temporal)?.address
  const names = [
    ...(['service', 'gateway'] as const),
    ...(temporalAddress === undefined ? (['temporal', 'ui'] as const) : []),
    ...(hardware ? (['hardware'] as const) : []),
    ...(ring === undefined ? [] : (['codec'] as const)),
  ]
  return names.map(name => ({ setting: portSettings[name], port: ports[name] }))
}

function startEmbeddedService(folder: string, overrides: Partial<Settings>) {
  return startService({ ...defaultSettings, databaseUrl: `file:${join(folder, 'service.db')}`, ...overrides })
}

/** Without sign-in: it listens on loopback, and only pages of the Web UI may call it. */
function startCodec(
  dataConverter: DataConverter,
  port: number,
  namespace: string,
  uiUrl: string | undefined,
  log: Logger,
) {
  const origins = uiUrl === undefined ? [] : [uiUrl, uiUrl.replace(ip, 'localhost')]
  return startCodecServer({
    host: ip,
    port,
    dataConverter,
    namespace,
    signIn: { by: 'none' },
    origins,
    encodes: true,
    log,
  })
}

async function startTemporal(
  { folder, ports = freePorts, ring, progress, temporal, webUi = true }: StackOptions,
  codecPort: number,
) {
  const place = temporal && toPlace(temporal)
  if (place !== undefined) return { ...place, uiUrl: undefined, isOwn: false, stop: async () => undefined }
  const { temporalAddress, temporalNamespace } = readEnvironment()
  const namespace = temporal === 'own' ? 'default' : temporalNamespace
  if (temporal !== 'own' && temporalAddress !== undefined) {
    return { address: temporalAddress, namespace, uiUrl: undefined, isOwn: false, stop: async () => undefined }
  }
  const server = await startTemporalServer({
    databaseFile: join(folder, 'temporal.db'),
    logFile: join(folder, 'temporal.log'),
    ip,
    namespace,
    searchAttributes,
    progress,
    port: ports.temporal,
    uiPort: ports.ui,
    headless: !webUi,
    ...(ring && { uiCodecEndpoint: `http://${ip}:${codecPort}` }),
  })
  return { address: server.address, namespace, uiUrl: server.uiUrl, isOwn: true, stop: server.stop }
}

function toPlace(temporal: NonNullable<StackOptions['temporal']>): TemporalPlace | undefined {
  return temporal === 'own' ? undefined : temporal
}
