import { randomUUID } from 'node:crypto'
import { asyncLocalStorage, type Context } from '@temporalio/activity'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { createActivities, type FlowActivities } from '#activities'
import type { BookStepInput } from '#activities/interface'
import { type Api, createApi } from '#contract/client'
import { fullProfile } from '#contract/terms'
import { type BookingFlowName as FlowName, toWorkflowId } from '#flows'
import { pass } from '../../../testing/stack/wire.ts'
import { type ApiWorld, parcel } from './apiWorld.ts'
import { createWorld } from './createWorld.ts'

/** The activities with a real service, connected by a wire. */
export interface ActivityWorld extends ApiWorld {
  readonly activities: FlowActivities
  /** The clock skew of the service in milliseconds, set by tests. */
  clockOffset: number
}

/** The attempt that runs, the first one by default. */
let attempt = 1

/** The details of the last heartbeat, which the next attempt gets. */
let details: unknown

/** The part of the SDK's context that the activities use. */
const context = {
  info: {
    get attempt() {
      return attempt
    },
    get heartbeatDetails() {
      return attempt === 1 ? undefined : details
    },
  },
  heartbeat(given: unknown) {
    details = given
  },
} as unknown as Context

/** Runs activities as a later attempt. */
export async function inAttempt<Result>(number: number, run: () => Promise<Result>): Promise<Result> {
  attempt = number
  try {
    return await run()
  } finally {
    attempt = 1
  }
}

/** The activities as the SDK runs them. */
export function inContext(activities: FlowActivities): FlowActivities {
  const run = (activity: (order: never) => unknown) => (order: never) =>
    asyncLocalStorage.run(context, () => activity(order))
  return Object.fromEntries(Object.entries(activities).map(([name, activity]) => [name, run(activity)])) as never
}

/** One world for a test file. */
export function useActivities(): ActivityWorld {
  // Filled before the first test, so that tests can destructure it at the top of their file.
  const world = { clockOffset: 0 } as { -readonly [Name in keyof ActivityWorld]: ActivityWorld[Name] }
  let wired: Api

  beforeAll(async () => {
    Object.assign(world, await createWorld({ api: true, service: { clock: () => Date.now() + world.clockOffset } }))
    wired = createApi(world.apiSettings)
    world.activities = inContext(
      createActivities(wired, { profile: fullProfile, pollInterval: { initial: 1_000, maximum: 1_000 } }),
    )
  })

  afterAll(async () => {
    await wired.close()
    await world.stop()
  })

  afterEach(() => {
    world.toService.rule = () => pass
    world.clockOffset = 0
  })

  return world
}

/** Puts an item into stock, under its own case number. */
export async function itemInStock({ api, openShipment }: ApiWorld): Promise<string> {
  const Details = { ReferenceCaseNo: `before-${randomUUID()}` }
  const { shipmentUids } = await api.call('CreateLocalShipmentAsStock', { ...parcel, Details })
  const [shipmentUid = ''] = shipmentUids
  await openShipment(shipmentUid, 'deliveryCode')
  return shipmentUid
}
/** The booking input from the flow's own plan. `since` is the start of the flow, in milliseconds since 1970. */
export async function orderOf(
  { activities }: ActivityWorld,
  flow: FlowName,
  { caseNo = `A-${randomUUID()}`, request, since = Date.now() }: OrderGiven,
): Promise<BookStepInput> {
  const plan = await activities.planFlow({ flow, workflowId: toWorkflowId(caseNo), input: { caseNo, request } })
  const [step] = plan.steps
  if (step?.kind !== 'book') throw new Error(`The flow ${flow} does not begin with a booking.`)
  const { operation, roles } = step
  const { value } = step.request as { readonly value: Record<string, unknown> }
  const idempotencyKey = `${caseNo}:${randomUUID()}:${step.name}`
  const order = { operation, request: value, roles, caseNo, profile: plan.profile, idempotencyKey }
  return { ...order, since: new Date(since).toISOString() }
}

interface OrderGiven {
  readonly caseNo?: string
  readonly request: Record<string, unknown>
  readonly since?: number
}

/** The number of create requests on the wire. */
export function createsOf({ toService }: ApiWorld): number {
  return toService.passings.filter(({ path }) => /\/Create(Local|CollectOnly)/.test(path)).length
}
