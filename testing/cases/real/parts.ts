import { randomBytes, randomUUID } from 'node:crypto'
import { Client, Connection } from '@temporalio/client'
import { type Calendars, testCalendars } from '#activities/calendars'
import { defaultUidSignatureScheme } from '#contract'
import { type Api, createApi } from '#contract/client'
import { fullProfile } from '#contract/terms'
import { flows as builtIn, type FlowDeclaration } from '#flows'
import { startGateway } from '#gateway'
import { createLog } from '#platform/logs'
import { defaultSettings, demoTopology, startService, type Topology } from '#service'
import { bundleFlows, type RunningWorker, startWorker, type WorkerSettings } from '#worker'
import { type PlayedRuns, playedActivities, withPlayedNames } from './activities.ts'
import { startCallbackRelay } from './callbacks.ts'
import { RealFaults } from './faults.ts'
import { startRelay } from './relay.ts'
import { createDelay, rarePolls } from './times.ts'

export interface RealPartsOptions {
  /** A running server. Its namespace must be for tests. */
  readonly temporal: { readonly address: string; readonly namespace: string }
  /** Flows in addition to the built-in ones. */
  readonly flows?: readonly FlowDeclaration[]
  readonly windowFactor: number
  /** By default those of `testCalendars`. */
  readonly calendars?: Calendars
  /** Built by the worker if absent. */
  readonly bundle?: { readonly code: string }
}

/** Service, gateway and worker on a running Temporal, for test cases. */
export interface RealParts {
  readonly api: Api
  readonly client: Client
  readonly taskQueue: string
  readonly topology: Topology
  readonly windowFactor: number
  readonly bundle: { readonly code: string }
  readonly faults: RealFaults
  /** The results of activities, by case number. */
  readonly played: Map<string, PlayedRuns>
  /** Uids of shipments whose callbacks are lost. */
  readonly lost: Set<string>
  /** Stops the worker, which forgets its flows, and starts another one. */
  replaceWorker(): Promise<void>
  stop(): Promise<void>
}

const host = '127.0.0.1'
const credentials = { clientId: 'acme', clientSecret: 'acme-secret' }

/** Items that a case leaves in a locker stay there. */
const topology: Topology = {
  ...demoTopology,
  pickUpPoints: demoTopology.pickUpPoints.map(pickUpPoint => ({
    ...pickUpPoint,
    lockers: [{ names: '1-500', width: 40, height: 40, length: 60 }],
  })),
}

/** Starts the parts, and waits until they are ready. @throws Error when one does not start; those before it are stopped */
export async function startRealParts(options: RealPartsOptions): Promise<RealParts> {
  const { temporal, flows = [], windowFactor } = options
  const stops: (() => Promise<unknown>)[] = []
  const stop = async () => {
    for (let next = stops.pop(); next !== undefined; next = stops.pop()) await next()
  }
  const log = createLog('silent')
  try {
    const service = await startService({ ...defaultSettings, databaseUrl: 'file::memory:', port: 0, topology, log })
    stops.push(() => service.stop())
    const faults = new RealFaults()
    const relay = await startRelay(service.address, faults)
    stops.push(() => relay.stop())
    const direct = { baseUrl: service.address, authUrl: service.address, ...credentials }
    const connection = await Connection.connect({ address: temporal.address })
    stops.push(() => connection.close())
    const target = { temporal: { address: temporal.address }, namespace: temporal.namespace, profile: fullProfile }
    const callbacks = await startCallbackRelay()
    stops.push(() => callbacks.stop())
    const gateway = await startGateway({
      ...target,
      host,
      port: 0,
      url: callbacks.address,
      api: direct,
      keys: { current: randomBytes(24).toString('base64url') },
      uidSignatureScheme: defaultUidSignatureScheme,
      log,
    })
    stops.push(() => gateway.stop())
    callbacks.target = gateway.address
    const played = new Map<string, PlayedRuns>()
    const taskQueue = `cases-${randomUUID()}`
    const bundle = options.bundle ?? (await bundleFlows())
    const settings: WorkerSettings = {
      ...target,
      taskQueue,
      environment: 'staging',
      api: { ...direct, baseUrl: relay.address },
      pollInterval: rarePolls,
      createDelay,
      catalogue: Object.fromEntries(Object.values(builtIn).map(flow => [flow.name, withPlayedNames(flow)])),
      flows: flows.map(onOwnQueue),
      activities: playedActivities(flows, faults, windowFactor, caseNo => played.get(caseNo)),
      windowFactor,
      calendars: options.calendars ?? testCalendars,
      bundle,
    }
    const running: { worker: RunningWorker } = { worker: await startWorker(settings) }
    stops.push(() => running.worker.stop())
    await gateway.ready
    const api = createApi(direct)
    stops.push(() => api.close())
    return {
      api,
      client: new Client({ connection, namespace: temporal.namespace }),
      taskQueue,
      topology,
      windowFactor,
      bundle,
      faults,
      played,
      lost: callbacks.lost,
      async replaceWorker() {
        await running.worker.stop()
        running.worker = await startWorker(settings)
      },
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** One worker runs the activities of all queues. */
function onOwnQueue(flow: FlowDeclaration): FlowDeclaration {
  const steps = flow.steps.map(step => {
    if (!('run' in step)) return step
    const { taskQueue: _, ...own } = step
    return own
  })
  return { ...flow, steps }
}
