import { randomBytes, randomUUID } from 'node:crypto'
import { Client, Connection } from '@temporalio/client'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, expect, inject } from 'vitest'
import { type Api, type ApiSettings, createApi } from '#api'
import { createFlowClient, type FlowClient } from '#client'
import { defaultWeakScheme } from '#contract'
import { type FlowShipment, type FlowStatus, fullProfile, type ServiceProfile, workflowIdOf } from '#contract/terms'
import { type Gateway, type GatewaySettings, startGateway } from '#gateway'
import { demonstration, type Service, startService } from '#service'
import { quietRuntime, type RunningWorker, startWorker, type WorkerSettings } from '#worker'
import { layWire, pass, type Wire } from '../wire/wire.ts'
import { bundle } from './bundle.ts'
import { eventually } from './eventually.ts'

export interface WorldOptions {
  readonly profile?: ServiceProfile
  /** Milliseconds; long by default, so that a test that needs callbacks fails without them. */
  readonly looks?: { readonly first: number; readonly longest: number }
}

/** Everything real: service, gateway, worker, Temporal; with a piece of wire on both ways between the halves. */
export interface World {
  readonly flows: FlowClient
  readonly client: Client
  readonly taskQueue: string
  /** Straight to the service, past the wire. */
  readonly api: Api
  readonly apiSettings: ApiSettings
  readonly toService: Wire
  readonly toGateway: Wire
  readonly userUid: string
  readonly service: Service
  gateway: Gateway
  worker: RunningWorker | undefined
  restartWorker(changes?: Partial<WorkerSettings>): Promise<void>
  restartGateway(changes?: Partial<GatewaySettings>): Promise<void>
  /** A case number that no other test uses; how many shipments it has to have booked is checked after the test. */
  newCase(booked?: number): string
  open(shipment: FlowShipment, code: 'deliveryCode' | 'pickUpCode'): Promise<void>
  shipmentsOf(caseNo: string): Promise<Awaited<ReturnType<typeof findByCase>>>
  /** Waits until a flow's status is as asked. */
  statusWhen(caseNo: string, holds: (status: FlowStatus) => boolean): Promise<FlowStatus>
}

const credentials = { clientId: 'acme', clientSecret: 'acme-secret' }

/** Enough lockers for a whole file of tests. */
const topology = {
  ...demonstration,
  pickUpPoints: demonstration.pickUpPoints.map(pickUpPoint =>
    pickUpPoint.pupUid === 'pup-1'
      ? { ...pickUpPoint, lockers: [{ names: '1-200', width: 40, height: 40, length: 60 }] }
      : pickUpPoint,
  ),
}

export const parcel = {
  PupUid: 'pup-1',
  AllowLargerLockers: true,
  AllowOverflowLockers: false,
  Dimension: { width: 30, height: 15, length: 40 },
}

/** One world for a test file; after each test it is checked that nothing was lost or booked twice. */
export function useWorld(options: WorldOptions = {}): World {
  const world = {} as World
  const stops: (() => Promise<unknown>)[] = []
  const cases = new Map<string, number>()

  beforeAll(async () => {
    quietRuntime('ERROR')
    const { address, namespace } = inject('temporal')
    const taskQueue = `test-${randomUUID()}`
    const log = pino({ level: 'silent' })
    const service = await startService({ topology, log })
    const toService = await layWire(() => service.address)
    const toGateway = await layWire(() => world.gateway.address)
    const direct = { baseUrl: service.address, authUrl: service.address, ...credentials }
    const connection = await Connection.connect({ address })
    const client = new Client({ connection, namespace })
    const api = createApi(direct)
    const workerSettings: WorkerSettings = {
      temporal: { address },
      namespace,
      taskQueue,
      environment: 'staging',
      api: { ...direct, baseUrl: toService.address },
      profile: options.profile ?? fullProfile,
      looks: options.looks ?? { first: 3_600_000, longest: 86_400_000 },
      bundle: await bundle(),
    }
    const gatewaySettings: GatewaySettings = {
      host: '127.0.0.1',
      port: 0,
      url: toGateway.address,
      keys: { current: randomBytes(24).toString('base64url') },
      weakScheme: defaultWeakScheme,
      profile: options.profile ?? fullProfile,
      api: direct,
      temporal: { address },
      namespace,
      log,
    }
    Object.assign(world, {
      flows: createFlowClient(client, { taskQueue }),
      client,
      taskQueue,
      api,
      apiSettings: workerSettings.api,
      toService,
      toGateway,
      service,
      gateway: await startGateway(gatewaySettings),
      worker: await startWorker(workerSettings),
      async restartWorker(changes: Partial<WorkerSettings> = {}) {
        await world.worker?.stop()
        world.worker = await startWorker({ ...workerSettings, ...changes })
      },
      async restartGateway(changes: Partial<GatewaySettings> = {}) {
        await world.gateway.stop()
        world.gateway = await startGateway({ ...gatewaySettings, ...changes })
        await world.gateway.ready
      },
      newCase(booked = 1) {
        const caseNo = `T-${randomUUID()}`
        cases.set(caseNo, booked)
        return caseNo
      },
      async open({ shipmentUid, pupUid, lockerName }: FlowShipment, code: 'deliveryCode' | 'pickUpCode') {
        const codes = await api.call('GetShipmentAccessCode', { shipmentUid }, { withCodes: true })
        await api.call('SimulateLockerAccess', {
          pupUid: pupUid ?? '',
          lockerName: lockerName ?? '',
          pinCode: codes[code] ?? '',
        })
      },
      shipmentsOf: (caseNo: string) => findByCase(api, caseNo),
      statusWhen: (caseNo: string, holds: (status: FlowStatus) => boolean) =>
        eventually(async () => {
          const answer = await world.flows.status(caseNo)
          return answer.kind === 'Status' && holds(answer.status) ? answer.status : undefined
        }),
    } satisfies Partial<World>)
    await world.gateway.ready
    const user = await api.call('CreateOrGetAccount', {
      emailAddress: 'robin@example.org',
      firstName: 'Robin',
      lastName: 'Reader',
      pickUpPointUid: 'pup-1',
    })
    Object.assign(world, { userUid: user.userUid })
    stops.push(
      async () => world.worker?.stop(),
      () => world.gateway.stop(),
      () => service.stop(),
      () => api.close(),
      () => toService.stop(),
      () => toGateway.stop(),
      () => connection.close(),
    )
  })

  afterEach(async () => {
    world.toService.rule = () => pass
    world.toGateway.rule = () => pass
    for (const [caseNo, booked] of cases) await expectSettled(world, caseNo, booked)
    cases.clear()
    await expectLockersConsistent(world)
  })

  afterAll(async () => {
    for (const stop of stops) await stop()
  })

  return world
}

/** No flow hangs, what it wanted is booked exactly once, and what it holds is what its result says. */
async function expectSettled(world: World, caseNo: string, booked: number): Promise<void> {
  const handle = world.client.workflow.getHandle(workflowIdOf(caseNo))
  const status = await eventually(async () => {
    const { status } = await handle.describe()
    return status.name === 'RUNNING' ? undefined : status.name
  }).catch(() => 'RUNNING')
  expect({ caseNo, status }).not.toEqual({ caseNo, status: 'RUNNING' })
  const shipments = await world.shipmentsOf(caseNo)
  expect({ caseNo, booked: shipments.length }).toEqual({ caseNo, booked })
}

/** A locker is taken exactly when an active shipment is on it, and by one shipment only. */
async function expectLockersConsistent({ api }: World): Promise<void> {
  const active = await everyShipment(api, { activeShipments: true })
  const taken = active.map(({ lockerUid }) => lockerUid)
  expect(new Set(taken).size).toBe(taken.length)
  const { items } = await api.call('GetPickUpPoints', { includeDetails: true })
  const lockers = items.flatMap(({ lockers = [] }) => lockers)
  const held = lockers.reduce((sum, { total, free }) => sum + total - free, 0)
  expect(held).toBe(taken.length)
}

function findByCase(api: Api, caseNo: string) {
  return everyShipment(api, { referenceCaseNo: caseNo })
}

async function everyShipment(api: Api, search: { referenceCaseNo?: string; activeShipments?: boolean }) {
  const { items } = await api.call('GetShipments', { ...search, pageSize: 500 })
  return items
}
