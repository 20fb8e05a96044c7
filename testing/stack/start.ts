import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Client, Connection } from '@temporalio/client'
import { pino } from 'pino'
import { createFlowClient } from '#client'
import { flowEndpoint } from '#client/nexus'
import { defaultUidSignatureScheme } from '#contract'
import { createApi } from '#contract/client'
import { fullProfile, taskQueue } from '#contract/terms'
import { type GatewaySettings, startGateway } from '#gateway'
import { createDataConverter } from '#platform/codec'
import { freePort, requireFreePorts } from '#platform/ports'
import { clientInterceptors } from '#platform/telemetry/temporal'
import { type Service, startService } from '#service'
import { ensureRuntime, type RunningWorker, startWorker } from '#worker'
import { createClock } from './clock.ts'
import { startCodec } from './codec.ts'
import { freePorts, ip, portsToBind } from './ports.ts'
import type { Part, Stack, StackOptions } from './stack.ts'
import { createStarter, type Starter } from './starter.ts'
import { ensureNexusEndpoint, findTemporal, useTemporal } from './temporal.ts'
import { startWires } from './wires.ts'

/** The API client of the built-in topology. */
const demoCredentials = { clientId: 'acme', clientSecret: 'acme-secret' }

/** Milliseconds. Callbacks of the service wake the flows of a stack. */
const rarePolls = { initial: 3_600_000, maximum: 86_400_000 }

/** The parts that others reach before they run. */
interface Running<ServicePart> {
  service?: ServicePart
  gateway?: Part
  worker?: RunningWorker
  client?: Client
}

/**
 * Starts Temporal's server, service, gateway and worker, and waits until all of them are ready. If one does not start,
 * those before it are stopped.
 * @throws Error that names the setting of each port in use
 */
export async function startStack<ServicePart extends Part = Service>(
  options: StackOptions<ServicePart> = {},
): Promise<Stack<ServicePart>> {
  const hasOwnTemporal = findTemporal(options.temporal) === undefined
  await requireFreePorts(ip, portsToBind(options, options.ports ?? freePorts, hasOwnTemporal))
  if (options.parts?.worker !== false) ensureRuntime()
  const starter = createStarter(options.progress, options.interrupted)
  try {
    return await startParts(options, starter)
  } catch (error) {
    // The failure of the start is the cause, even if a part does not stop.
    await starter.stop().catch(() => undefined)
    throw error
  }
}

async function startParts<ServicePart extends Part>(
  options: StackOptions<ServicePart>,
  starter: Starter,
): Promise<Stack<ServicePart>> {
  const { folder = await temporaryFolder(starter), ports = freePorts, ring, ahead, parts = {} } = options
  const { credentials = demoCredentials } = parts
  const log = pino({ level: 'warn' }, pino.destination(join(folder, 'lockerflow.log')))
  const running: Running<ServicePart> = {}
  const clock = createClock(() => started(running.client))
  clock.restore(ahead ?? 0, [])
  const addressOf = (part: 'service' | 'gateway') => () => started(running[part]).address
  const wires = options.wired ? await startWires(starter, addressOf('service'), addressOf('gateway')) : undefined

  // Known before the Web UI starts, which gets it as an argument.
  const codecPort = ring && (ports.codec || (await freePort(ip)))
  const temporal = await useTemporal(starter, { ...options, folder }, ports, codecPort)
  const { address, namespace, uiUrl } = temporal
  const dataConverter = options.dataConverter ?? (ring && createDataConverter(ring))
  const converting = dataConverter && { dataConverter }
  const codec =
    codecPort === undefined || converting === undefined
      ? undefined
      : await startCodec(starter, { ...converting, port: codecPort, namespace, log }, uiUrl)

  const timed = ahead !== undefined && { clock: clock.now }
  const databaseUrl = pathToFileURL(join(folder, 'service.db')).href
  // Without a start function the part is our service, which the type of the options cannot say.
  const startingService = (
    typeof parts.service === 'function'
      ? parts.service()
      : startService({ databaseUrl, port: ports.service, log, ...timed, ...parts.service })
  ) as Promise<ServicePart>
  const service = await starter.start('the service', startingService, part => part.stop())
  running.service = service
  const access = { baseUrl: service.address, authUrl: service.address, ...credentials }
  const orchestrator = { temporal: { address }, namespace, profile: fullProfile, ...converting }

  const gatewaySettings = {
    ...orchestrator,
    ...{ api: access, host: ip, port: ports.gateway, log, ...timed },
    ...{ keys: { current: randomBytes(24).toString('base64url') }, uidSignatureScheme: defaultUidSignatureScheme },
    ...(wires && { url: wires.toGateway.address }),
    flowApi: options.flowApi?.settings(access),
  }
  const startAnyGateway = (changes: Partial<GatewaySettings>) =>
    typeof parts.gateway === 'function'
      ? parts.gateway(access, { address, namespace })
      : startGateway({ ...gatewaySettings, ...parts.gateway, ...changes })
  running.gateway = await starter.start('the gateway', startAnyGateway({}), () => started(running.gateway).stop())

  // Requests for a token never fail on the wire.
  const apiOfWorker = { ...access, ...(wires && { baseUrl: wires.toService.address }) }
  const workerSettings = {
    ...orchestrator,
    ...({ api: apiOfWorker, taskQueue, environment: 'staging', pollInterval: rarePolls } as const),
    ...(ahead !== undefined && { clock: clock.at, clockAhead: clock.aheadOf }),
    ...(parts.worker && (await parts.worker(apiOfWorker))),
  }
  if (parts.worker !== false) {
    running.worker = await starter.start('the worker', startWorker(workerSettings), () =>
      started(running.worker).stop(),
    )
  }
  await starter.wait(running.gateway.ready ?? Promise.resolve())
  // Stays open until the process ends: on a closed connection the client's repetition of a call throws out of its caller's reach.
  const connection = await starter.start('the clients', Connection.connect({ address }), async () => undefined)
  // Endpoints belong to the whole server. Another one has those of its operator.
  if (temporal.isOwn) await ensureNexusEndpoint(connection, { name: flowEndpoint, namespace, taskQueue })
  const api = createApi(access)
  starter.add(() => api.close())
  const client = new Client({ connection, namespace, interceptors: { workflow: clientInterceptors() }, ...converting })
  running.client = client
  return {
    folder,
    temporalAddress: address,
    namespace,
    uiUrl,
    serviceAddress: service.address,
    get gatewayAddress() {
      return started(running.gateway).address
    },
    flowApiAddress: running.gateway.flowApiAddress,
    codecAddress: codec?.address,
    credentials,
    flows: createFlowClient(client, { taskQueue: workerSettings.taskQueue }),
    api,
    service,
    client,
    clock,
    get wires() {
      return started(wires)
    },
    stopWorker: async () => running.worker?.stop(),
    async restartWorker(changes = {}) {
      await running.worker?.stop()
      running.worker = await startWorker({ ...workerSettings, ...changes })
    },
    async restartGateway(changes = {}) {
      await started(running.gateway).stop()
      running.gateway = await startAnyGateway(changes)
      await running.gateway.ready
    },
    stop: () => starter.stop(),
  }
}

async function temporaryFolder(starter: Starter): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'lockerflow-stack-'))
  starter.add(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** @throws Error for a part that has not started */
function started<Started>(part: Started | undefined): Started {
  if (part === undefined) throw new Error('This part of the stack has not started.')
  return part
}
