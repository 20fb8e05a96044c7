import { randomUUID } from 'node:crypto'
import { asyncLocalStorage, type Context } from '@temporalio/activity'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { createActivities, type FlowActivities } from '#activities'
import type { BookOrder } from '#activities/interface'
import { type Api, createApi } from '#api'
import { fullProfile, workflowIdOf } from '#contract/terms'
import { demonstration, type Service, startService } from '#service'
import type { FlowName } from '#workflows/flows'
import { layWire, pass, type Wire } from '../wire/wire.ts'

/** The activities over a real service, with a piece of wire between. */
export interface Over {
  readonly activities: FlowActivities
  /** Straight to the service, past the wire. */
  readonly api: Api
  readonly wire: Wire
  readonly userUid: string
  /** How far the service's clock is off, in milliseconds; tests set it. */
  off: number
}

const credentials = { clientId: 'acme', clientSecret: 'acme-secret' }
const topology = {
  ...demonstration,
  pickUpPoints: demonstration.pickUpPoints.map(pickUpPoint => ({
    ...pickUpPoint,
    lockers: [{ names: '1-50', width: 40, height: 40, length: 60 }],
  })),
}

/** What the SDK gives an activity that it runs, as far as ours ask for it. */
const context = { info: { attempt: 1 }, heartbeat: () => undefined } as unknown as Context

/** The activities as the SDK runs them. */
function inContext(activities: FlowActivities): FlowActivities {
  const run = (activity: (order: never) => unknown) => (order: never) =>
    asyncLocalStorage.run(context, () => activity(order))
  return Object.fromEntries(Object.entries(activities).map(([name, activity]) => [name, run(activity)])) as never
}

/** One service for a test file. */
export function overService(): Over {
  // Filled before the first test.
  const over = { off: 0 } as { -readonly [Name in keyof Over]: Over[Name] }
  let service: Service
  let wired: Api

  beforeAll(async () => {
    service = await startService({ topology, clock: () => Date.now() + over.off })
    over.wire = await layWire(() => service.address)
    over.api = createApi({ baseUrl: service.address, authUrl: service.address, ...credentials })
    wired = createApi({ baseUrl: over.wire.address, authUrl: service.address, ...credentials })
    over.activities = inContext(
      createActivities(wired, { profile: fullProfile, looks: { first: 1_000, longest: 1_000 } }),
    )
    const person = { emailAddress: 'robin@example.org', firstName: 'Robin', lastName: 'Reader' }
    const { userUid } = await over.api.call('CreateOrGetAccount', { ...person, pickUpPointUid: 'pup-1' })
    over.userUid = userUid ?? ''
  })

  afterAll(async () => {
    await Promise.all([over.api.close(), wired.close(), over.wire.stop()])
    await service.stop()
  })

  afterEach(() => {
    over.wire.rule = () => pass
    over.off = 0
  })

  return over
}

export const parcel = {
  PupUid: 'pup-1',
  AllowLargerLockers: true,
  AllowOverflowLockers: false,
  Dimension: { width: 30, height: 15, length: 40 },
}

/** An item in stock, of a case of its own. */
export async function itemInStock({ api }: Over): Promise<string> {
  const Details = { ReferenceCaseNo: `before-${randomUUID()}` }
  const { shipmentUids } = await api.call('CreateLocalShipmentAsStock', { ...parcel, Details })
  const [shipmentUid = ''] = shipmentUids
  await dropOff(api, shipmentUid)
  return shipmentUid
}

/** Somebody opens the locker with the delivery code and puts the item in. */
export async function dropOff(api: Api, shipmentUid: string): Promise<void> {
  const { items } = await api.call('GetShipments', { shipmentUid })
  const { deliveryCode } = await api.call('GetShipmentAccessCode', { shipmentUid }, { withCodes: true })
  const [{ pupUid, lockerName } = { pupUid: '', lockerName: '' }] = items
  await api.call('SimulateLockerAccess', { pupUid, lockerName: lockerName ?? '', pinCode: deliveryCode ?? '' })
}

/** The order of a flow that began at a moment, in milliseconds since 1970, as its own plan makes it. */
export async function orderOf(
  { activities }: Over,
  flow: FlowName,
  { caseNo = `A-${randomUUID()}`, request, since = Date.now() }: OrderGiven,
): Promise<BookOrder> {
  const { operation, profile, ...plan } = await activities.plan({
    flow,
    workflowId: workflowIdOf(caseNo),
    input: { caseNo, request },
  })
  const idempotencyKey = `${caseNo}:${randomUUID()}:${operation}`
  const order = { operation, request: plan.request, roles: plan.roles, caseNo, profile, idempotencyKey }
  return { ...order, since: new Date(since).toISOString() }
}

interface OrderGiven {
  readonly caseNo?: string
  readonly request: Record<string, unknown>
  readonly since?: number
}

/** How many creates have passed. */
export function createsOf({ wire }: Over): number {
  return wire.passings.filter(({ path }) => /\/Create(Local|CollectOnly)/.test(path)).length
}
