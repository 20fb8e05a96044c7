import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { Client, Connection } from '@temporalio/client'
import { type Logger, pino } from 'pino'
import { type Api, type ApiSettings, createApi } from '#api'
import { createFlowClient, type FlowClient } from '#client'
import { defaultWeakScheme } from '#contract'
import { fullProfile, searchAttributes, taskQueue } from '#contract/terms'
import { startGateway } from '#gateway'
import { defaultSettings, startService } from '#service'
import { installRuntime, startWorker } from '#worker'
import { readEnvironment } from './environment.ts'
import { startTemporalServer } from './temporal/index.ts'

export interface StackOptions {
  /** Where Temporal's and the service's files are. */
  readonly folder: string
  /** Chosen by the system when left out. */
  readonly ports?: {
    readonly service: number
    readonly gateway: number
    readonly temporal: number
    readonly ui: number
  }
  readonly progress: (line: string) => void
}

/** Everything in one process, but for Temporal's server. */
export interface Stack {
  readonly temporalAddress: string
  readonly namespace: string
  /** Undefined when the Temporal server is not ours. */
  readonly uiUrl: string | undefined
  readonly serviceAddress: string
  readonly gatewayAddress: string
  readonly credentials: Pick<ApiSettings, 'clientId' | 'clientSecret'>
  readonly flows: FlowClient
  readonly api: Api
  stop(): Promise<void>
}

/** The built-in topology's tenant. */
const credentials = { clientId: 'acme', clientSecret: 'acme-secret' }

/**
 * Starts Temporal's server, service, gateway and worker, and answers once all of them are ready.
 * When one does not start, those before it are stopped again.
 */
export async function startStack(options: StackOptions): Promise<Stack> {
  const { folder, ports, progress } = options
  installRuntime()
  const log = pino({ level: 'warn' }, pino.destination(join(folder, 'lockerflow.log')))
  const stops: (() => Promise<unknown>)[] = []
  async function stop(): Promise<void> {
    for (let next = stops.pop(); next !== undefined; next = stops.pop()) await next()
  }
  async function started<Part>(name: string, start: () => Promise<Part>, end: (part: Part) => Promise<unknown>) {
    progress(`starting ${name}`)
    const part = await start()
    stops.push(() => end(part))
    return part
  }

  try {
    const temporal = await started(
      'Temporal',
      () => temporalServer(options),
      server => server.stop(),
    )
    const { address, namespace } = temporal
    const service = await started(
      'the service',
      () => serviceOf(folder, ports?.service, log),
      part => part.stop(),
    )
    const settings = { baseUrl: service.address, authUrl: service.address, ...credentials }
    const gateway = await started(
      'the gateway',
      () =>
        startGateway({
          host: '127.0.0.1',
          port: ports?.gateway ?? 0,
          keys: { current: randomBytes(24).toString('base64url') },
          weakScheme: defaultWeakScheme,
          profile: fullProfile,
          api: settings,
          temporal: { address },
          namespace,
          log,
        }),
      part => part.stop(),
    )
    await started(
      'the worker',
      () =>
        startWorker({
          temporal: { address },
          namespace,
          taskQueue,
          api: settings,
          environment: 'staging',
          profile: fullProfile,
          looks: { first: 3_600_000, longest: 86_400_000 },
        }),
      part => part.stop(),
    )
    await gateway.ready
    const connection = await started(
      'the clients',
      () => Connection.connect({ address }),
      part => part.close(),
    )
    const api = createApi(settings)
    stops.push(() => api.close())
    return {
      temporalAddress: address,
      namespace,
      uiUrl: temporal.uiUrl,
      serviceAddress: service.address,
      gatewayAddress: gateway.address,
      credentials,
      flows: createFlowClient(new Client({ connection, namespace })),
      api,
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

function serviceOf(folder: string, port: number | undefined, log: Logger) {
  return startService({ ...defaultSettings, databaseUrl: `file:${join(folder, 'service.db')}`, port: port ?? 0, log })
}

async function temporalServer({ folder, ports, progress }: StackOptions) {
  const { temporalAddress, temporalNamespace: namespace } = readEnvironment()
  if (temporalAddress !== undefined) {
    return { address: temporalAddress, namespace, uiUrl: undefined, stop: async () => undefined }
  }
  const server = await startTemporalServer({
    databaseFile: join(folder, 'temporal.db'),
    logFile: join(folder, 'temporal.log'),
    ip: '127.0.0.1',
    namespace,
    searchAttributes,
    progress,
    ...(ports && { port: ports.temporal, uiPort: ports.ui }),
  })
  return { address: server.address, namespace, uiUrl: server.uiUrl, stop: server.stop }
}
