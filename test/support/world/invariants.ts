import { expect } from 'vitest'
import type { Api } from '#api'
import { states } from '#contract/terms'
import { toWorkflowId } from '#flows'
import { eventually } from '../eventually.ts'
import type { World } from './flowWorld.ts'

/** Asserts that the flow has ended, and that each of its shipments was booked exactly once. */
export async function expectSettled(world: World, caseNo: string, booked: number): Promise<void> {
  const handle = world.client.workflow.getHandle(toWorkflowId(caseNo))
  const status = await eventually(async () => {
    const { status } = await handle.describe()
    return status.name === 'RUNNING' ? undefined : status.name
  }).catch(() => 'RUNNING')
  expect({ caseNo, status }).not.toEqual({ caseNo, status: 'RUNNING' })
  const shipments = await world.shipmentsOf(caseNo)
  expect({ caseNo, booked: shipments.length }).toEqual({ caseNo, booked })
}

/** Asserts that a locker is booked if and only if it has an active shipment, and holds at most one item. */
export async function expectLockersConsistent(api: Api): Promise<void> {
  const active = await searchShipments(api, { activeShipments: true })
  const inside = active.filter(({ stateCode }) => states[stateCode as keyof typeof states].holdsItem)
  expect(new Set(inside.map(({ lockerUid }) => lockerUid)).size).toBe(inside.length)
  const { items } = await api.call('GetPickUpPoints', { includeDetails: true })
  const lockers = items.flatMap(({ lockers = [] }) => lockers)
  const held = lockers.reduce((sum, { total, free }) => sum + total - free, 0)
  expect(held).toBe(new Set(active.map(({ lockerUid }) => lockerUid)).size)
}

export async function searchShipments(api: Api, search: { referenceCaseNo?: string; activeShipments?: boolean }) {
  const { items } = await api.call('GetShipments', { ...search, pageSize: 500 })
  return items
}
