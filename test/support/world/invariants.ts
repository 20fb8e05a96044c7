import { isDeepStrictEqual } from 'node:util'
import type { WorkflowExecutionStatusName, WorkflowHandle } from '@temporalio/client'
import protos from '@temporalio/proto'
import { expect } from 'vitest'
import type { Api } from '#contract/client'
import { states } from '#contract/terms'
import { toWorkflowId } from '#flows'
import { eventually } from '../eventually.ts'
import type { World } from './flowWorld.ts'

const { temporal } = protos

const endedFromOutside: readonly string[] = ['TERMINATED', 'TIMED_OUT'] satisfies WorkflowExecutionStatusName[]

/** Events in the error about a flow that has not ended. */
const lastEvents = 12

/**
 * Cuts off the requests of flows that were ended from outside. Their last activity may still run, and after the test it
 * would book what no flow cleans up. Call it before the rules of the wire are reset.
 */
export async function cutOffEndedCases({ client, cases, toService }: World): Promise<void> {
  const caseNos = [...cases.keys()]
  const statuses = await Promise.all(
    caseNos.map(async caseNo => (await client.workflow.getHandle(toWorkflowId(caseNo)).describe()).status.name),
  )
  for (const [index, caseNo] of caseNos.entries())
    if (endedFromOutside.includes(statuses[index] ?? '')) toService.cutRequests.add(caseNo)
}

/** Asserts that the flow has ended, and that each of its shipments was booked exactly once. */
export async function expectSettled(world: World, caseNo: string, booked: number): Promise<void> {
  const handle = world.client.workflow.getHandle(toWorkflowId(caseNo))
  const status = await eventually(async () => {
    const { status } = await handle.describe()
    return status.name === 'RUNNING' ? undefined : status.name
  }).catch(() => 'RUNNING')
  if (status === 'RUNNING') throw new Error(`${caseNo} is running: ${await describeRun(handle)}`)
  const shipments = await world.shipmentsOf(caseNo)
  expect({ caseNo, booked: shipments.length }).toEqual({ caseNo, booked })
}

/** The last events of a flow with their times, and its running activities, which show why it has not ended. */
async function describeRun(handle: WorkflowHandle): Promise<string> {
  const [{ events }, { raw }] = await Promise.all([handle.fetchHistory(), handle.describe()])
  const last = (events ?? []).slice(-lastEvents).map(({ eventType, eventTime }) => ({
    event: temporal.api.enums.v1.EventType[eventType ?? 0],
    at: new Date(Number(eventTime?.seconds ?? 0) * 1_000 + (eventTime?.nanos ?? 0) / 1e6),
  }))
  const running = raw.pendingActivities?.map(({ activityType, attempt, lastFailure }) => ({
    activity: activityType?.name,
    attempt,
    failure: lastFailure?.message,
  }))
  return JSON.stringify({ last, running }, undefined, 1)
}

/** Asserts that a locker is booked if and only if it has an active shipment, and holds at most one item. */
export async function expectLockersConsistent(api: Pick<Api, 'call'>): Promise<void> {
  const { active, items } = await readWhileQuiet(api)
  const inside = active.filter(({ stateCode }) => states[stateCode as keyof typeof states].holdsItem)
  expect(new Set(inside.map(({ lockerUid }) => lockerUid)).size).toBe(inside.length)
  const lockers = items.flatMap(({ lockers = [] }) => lockers)
  const held = lockers.reduce((sum, { total, free }) => sum + total - free, 0)
  expect(held).toBe(new Set(active.map(({ lockerUid }) => lockerUid)).size)
}

/** The active shipments and the pick up points of one moment: two reads are not a snapshot while bookings arrive. */
async function readWhileQuiet(api: Pick<Api, 'call'>) {
  return eventually(async () => {
    const active = await searchShipments(api, { activeShipments: true })
    const { items } = await api.call('GetPickUpPoints', { includeDetails: true })
    const after = await searchShipments(api, { activeShipments: true })
    return isDeepStrictEqual(active, after) ? { active, items } : undefined
  })
}

export async function searchShipments(
  api: Pick<Api, 'call'>,
  search: { referenceCaseNo?: string; activeShipments?: boolean },
) {
  const { items } = await api.call('GetShipments', { ...search, pageSize: 500 })
  return items
}
