import { randomUUID } from 'node:crypto'
import { type Client, isGrpcDeadlineError, ServiceError } from '@temporalio/client'
import type { Api, ApiSettings } from '#api'
import { createFlowClient, type FlowClient } from '#client'
import type { FlowShipment, FlowStatus } from '#contract/terms'
import { type Gateway, type GatewaySettings, startGateway } from '#gateway'
import { installRuntime, type RunningWorker, startWorker, type WorkerSettings } from '#worker'
import type { Wire } from '../wire/wire.ts'
import { eventually } from './eventually.ts'
import { searchShipments } from './invariants.ts'
import { startParts, type Temporal, type WorldOptions } from './parts.ts'

type Code = 'deliveryCode' | 'pickUpCode'

/** Everything real: service, gateway, worker, Temporal; with a piece of wire on both ways between the halves. */
export interface World {
  readonly flows: FlowClient
  readonly client: Client
  readonly taskQueue: string
  /** Straight to the service, past the wire. */
  readonly api: Api
  /** As the worker is given them, over the wire. */
  readonly apiSettings: ApiSettings
  readonly toService: Wire
  readonly toGateway: Wire
  readonly userUid: string
  /** The cases that were started, with the number of shipments that each has to have booked. */
  readonly cases: Map<string, number>
  stopWorker(): Promise<void>
  restartWorker(changes?: Partial<WorkerSettings>): Promise<void>
  restartGateway(changes?: Partial<GatewaySettings>): Promise<void>
  /** A case number that nobody else uses. */
  newCase(booked?: number): string
  open(shipment: FlowShipment, code: Code): Promise<void>
  openShipment(shipmentUid: string, code: Code): Promise<void>
  shipmentsOf(caseNo: string): ReturnType<typeof searchShipments>
  /** Waits until a flow's status is as asked. */
  statusWhen(caseNo: string, holds: (status: FlowStatus) => boolean): Promise<FlowStatus>
  stop(): Promise<void>
}

export const parcel = {
  PupUid: 'pup-1',
  AllowLargerLockers: true,
  AllowOverflowLockers: false,
  Dimension: { width: 30, height: 15, length: 40 },
}

/** Starts a world on a Temporal server, with a task queue of its own. */
export async function createWorld(temporal: Temporal, options: WorldOptions = {}): Promise<World> {
  installRuntime('ERROR')
  const taskQueue = `test-${randomUUID()}`
  const parts = await startParts(temporal, taskQueue, () => running.gateway.address, options)
  const { api, client, workerSettings, gatewaySettings } = parts
  const running: { gateway: Gateway; worker: RunningWorker } = {
    gateway: await startGateway(gatewaySettings),
    worker: await startWorker(workerSettings),
  }
  await running.gateway.ready
  const flows = createFlowClient(client, { taskQueue })
  const cases = new Map<string, number>()

  async function open({ shipmentUid, pupUid, lockerName }: FlowShipment, code: Code): Promise<void> {
    const codes = await api.call('GetShipmentAccessCode', { shipmentUid }, { withCodes: true })
    const pinCode = codes[code]
    if (pupUid === null || lockerName === null || pinCode === null) throw new Error(`${shipmentUid} cannot be opened`)
    await api.call('SimulateLockerAccess', { pupUid, lockerName, pinCode })
  }

  return {
    ...parts,
    flows,
    taskQueue,
    apiSettings: workerSettings.api,
    userUid: await makeUser(api),
    cases,
    stopWorker: () => running.worker.stop(),
    async restartWorker(changes = {}) {
      await running.worker.stop()
      running.worker = await startWorker({ ...workerSettings, ...changes })
    },
    async restartGateway(changes = {}) {
      await running.gateway.stop()
      running.gateway = await startGateway({ ...gatewaySettings, ...changes })
      await running.gateway.ready
    },
    newCase(booked = 1) {
      const caseNo = `T-${randomUUID()}`
      cases.set(caseNo, booked)
      return caseNo
    },
    open,
    async openShipment(shipmentUid, code) {
      const { items } = await api.call('GetShipments', { shipmentUid })
      for (const item of items) await open({ ...item, role: '' }, code)
    },
    shipmentsOf: caseNo => searchShipments(api, { referenceCaseNo: caseNo }),
    statusWhen: (caseNo, holds) =>
      eventually(async () => {
        const answer = await flows.status(caseNo).catch(unlessLost)
        return answer?.kind === 'Status' && holds(answer.status) ? answer.status : undefined
      }),
    async stop() {
      await running.worker.stop()
      await running.gateway.stop()
      await parts.stop()
    },
  }
}

/** A question that a worker lost gets no answer, and is asked again. */
function unlessLost(error: unknown): undefined {
  if (!(error instanceof ServiceError && isGrpcDeadlineError(error.cause))) throw error
}

async function makeUser(api: Api): Promise<string> {
  const { userUid } = await api.call('CreateOrGetAccount', {
    emailAddress: 'robin@example.org',
    firstName: 'Robin',
    lastName: 'Reader',
    pickUpPointUid: 'pup-1',
  })
  if (userUid === null) throw new Error('no account')
  return userUid
}
