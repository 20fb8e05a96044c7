import { randomUUID } from 'node:crypto'
import type { Client } from '@temporalio/client'
import type { DataConverter } from '@temporalio/common'
import { FlowCallError } from '#client'
import { fullProfile, type ServiceProfile } from '#contract/terms'
import type { FlowStatus } from '#flows'
import type { GatewaySettings } from '#gateway'
import type { Settings } from '#service'
import type { WorkerSettings } from '#worker'
import { startStack, type Wire } from '../../../testing/stack/index.ts'
import { eventually } from '../eventually.ts'
import { type AnyFlowClient, withLongTimeout } from './anyFlow.ts'
import { type ApiWorld, startServiceOfApi, toApiWorld } from './apiWorld.ts'
import { bundle } from './bundle.ts'
import { searchShipments } from './invariants.ts'
import { installTestRuntime } from './runtime.ts'
import { rarePolls, silentLog, type Temporal } from './settings.ts'

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
  settings?: Partial<Settings>,
): Promise<World> {
  installTestRuntime()
  const stack = await startStack({
    temporal,
    wired: true,
    ...(dataConverter && { dataConverter }),
    parts: {
      service: () => startServiceOfApi(settings),
      gateway: { profile, log: silentLog },
      worker: async () => ({
        taskQueue,
        profile,
        pollInterval,
        bundle: await bundle(),
        ...(createDelay !== undefined && { createDelay }),
        ...(earlyPoll !== undefined && { earlyPoll }),
        ...(clockAhead !== undefined && { clockAhead }),
      }),
    },
  })
  const { client, wires, stopWorker, restartWorker, restartGateway } = stack
  const world = await toApiWorld(stack.service, wires.toService, async () => {
    await stack.stop()
    await client.connection.close()
  })
  const flows = withLongTimeout(stack.flows)
  const cases = new Map<string, number>()

  return {
    ...world,
    flows,
    client,
    taskQueue,
    toGateway: wires.toGateway,
    cases,
    stopWorker,
    restartWorker,
    restartGateway,
    newCase(booked = 1) {
      const caseNo = `T-${randomUUID()}`
      cases.set(caseNo, booked)
      return caseNo
    },
    shipmentsOf: caseNo => searchShipments(world.api, { referenceCaseNo: caseNo }),
    statusWhen: statusWhenOf(flows),
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
