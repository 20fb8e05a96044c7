import { randomBytes, randomUUID } from 'node:crypto'
import { Client, Connection } from '@temporalio/client'
import type { DataConverter } from '@temporalio/common'
import { createFlowClient, FlowCallError } from '#client'
import { fullProfile, type ServiceProfile } from '#contract/terms'
import type { FlowStatus } from '#flows'
import { type Gateway, type GatewaySettings, startGateway } from '#gateway'
import { clientInterceptors } from '#platform/telemetry/temporal'
import { type RunningWorker, startWorker, type WorkerSettings } from '#worker'
import { eventually } from '../eventually.ts'
import { startWire, type Wire } from '../wire.ts'
import { type AnyFlowClient, withLongTimeout } from './anyFlow.ts'
import type { ApiWorld } from './apiWorld.ts'
import { searchShipments } from './invariants.ts'
import { installTestRuntime } from './runtime.ts'
import { apiSettings, gatewaySettings, rarePolls, type Temporal, workerSettings } from './settings.ts'

export interface FlowOptions {
  /** The server that the flows run on. */
  readonly temporal: Temporal
  /** By default, each world has its own. */
  readonly taskQueue?: string
  readonly profile?: ServiceProfile
  readonly pollInterval?: WorkerSettings['pollInterval']
  readonly createDelay?: number
  readonly earlyPoll?: number
  /** The flows accept `moveClock`. */
  readonly clockAhead?: WorkerSettings['clockAhead']
  /** Encrypts payloads in all processes. */
  readonly dataConverter?: DataConverter
}

/** Service, gateway, worker and Temporal, with a wire in each direction between the two halves. */
export interface World extends ApiWorld {
  readonly flows: AnyFlowClient
  readonly client: Client
  readonly taskQueue: string
  readonly toGateway: Wire
  /** The started cases, with the expected number of shipments of each. */
  readonly cases: Map<string, number>
  stopWorker(): Promise<void>
  restartWorker(changes?: Partial<WorkerSettings>): Promise<void>
  restartGateway(changes?: Partial<GatewaySettings>): Promise<void>
  /** A new case number. */
  newCase(booked?: number): string
  shipmentsOf(caseNo: string): ReturnType<typeof searchShipments>
  statusWhen: StatusWhen
}

/** Waits until the status of a flow fulfils a condition. */
export type StatusWhen = (caseNo: string, holds: (status: FlowStatus) => boolean) => Promise<FlowStatus>

export async function startFlowWorld(
  world: ApiWorld,
  {
    temporal,
    taskQueue = `test-${randomUUID()}`,
    profile = fullProfile,
    pollInterval = rarePolls,
    createDelay,
    earlyPoll,
    clockAhead,
    dataConverter,
  }: FlowOptions,
): Promise<World> {
  installTestRuntime()
  const { api, service } = world
  const connection = await Connection.connect({ address: temporal.address })
  const client = new Client({
    connection,
    namespace: temporal.namespace,
    interceptors: { workflow: clientInterceptors() },
    ...(dataConverter && { dataConverter }),
  })
  const toGateway = await startWire(() => running.gateway.address)
  const keys = { current: randomBytes(24).toString('base64url') }
  const gateway = {
    ...gatewaySettings(temporal, apiSettings(service.address), keys),
    url: toGateway.address,
    profile,
    ...(dataConverter && { dataConverter }),
  }
  const worker = {
    ...(await workerSettings(temporal, taskQueue, world.apiSettings)),
    profile,
    pollInterval,
    ...(dataConverter && { dataConverter }),
    ...(createDelay !== undefined && { createDelay }),
    ...(earlyPoll !== undefined && { earlyPoll }),
    ...(clockAhead !== undefined && { clockAhead }),
  }
  const running: { gateway: Gateway; worker: RunningWorker } = {
    gateway: await startGateway(gateway),
    worker: await startWorker(worker),
  }
  await running.gateway.ready
  const flows = withLongTimeout(createFlowClient(client, { taskQueue }))
  const cases = new Map<string, number>()

  return {
    ...world,
    flows,
    client,
    taskQueue,
    toGateway,
    cases,
    stopWorker: () => running.worker.stop(),
    async restartWorker(changes = {}) {
      await running.worker.stop()
      running.worker = await startWorker({ ...worker, ...changes })
    },
    async restartGateway(changes = {}) {
      await running.gateway.stop()
      running.gateway = await startGateway({ ...gateway, ...changes })
      await running.gateway.ready
    },
    newCase(booked = 1) {
      const caseNo = `T-${randomUUID()}`
      cases.set(caseNo, booked)
      return caseNo
    },
    shipmentsOf: caseNo => searchShipments(api, { referenceCaseNo: caseNo }),
    statusWhen: statusWhenOf(flows),
    async stop() {
      await running.worker.stop()
      await running.gateway.stop()
      await world.stop()
      await Promise.all([toGateway.stop(), connection.close()])
    },
  }
}

export function statusWhenOf(flows: AnyFlowClient): StatusWhen {
  return (caseNo, holds) =>
    eventually(async () => {
      const answer = await flows.status(caseNo).catch(unlessLost)
      return answer?.kind === 'Status' && holds(answer.status) ? answer.status : undefined
    })
}

/** A query times out when its worker was killed. The next poll repeats it. */
function unlessLost(error: unknown): undefined {
  if (!(error instanceof FlowCallError) || error.code !== 'NoResponseInTime') throw error
}
