import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { type FlowShipment, type OrphanedCase, type SweepOrder, type SweepReport, workflowIdOf } from '#contract/terms'
import { type Journey, journeys } from './journeys.ts'
import type { Underway } from './underway.ts'
import type { World } from './world.ts'

/** Sweeps as the command does, with a workflow of its own, and takes whatever is older than a moment. */
export function sweep(
  { client, taskQueue }: Pick<World, 'client' | 'taskQueue'>,
  order: Partial<SweepOrder> = {},
): Promise<SweepReport> {
  const args = [{ act: 'list', olderThan: 1, ...order }]
  return client.workflow.execute('sweep', { workflowId: `sweep-${randomUUID()}`, taskQueue, args })
}

/** The one case of a sweep. */
export async function sweepCase(
  world: Pick<World, 'client' | 'taskQueue'>,
  caseNo: string,
  order: Partial<SweepOrder> = {},
): Promise<OrphanedCase | undefined> {
  const { cases } = await sweep(world, { caseNo, ...order })
  return cases[0]
}

/** Ends a flow from outside, without clean-up. */
export async function terminate({ client }: World, caseNo: string): Promise<void> {
  await client.workflow.getHandle(workflowIdOf(caseNo)).terminate('as an operator would')
}

/** What a flow needs to be known by: one of the namespace that it runs in. */
type Place = Pick<World, 'flows' | 'open' | 'statusWhen'>

/** A flow that goes on in the stage that it was lost in, with the same shipments in the same roles, to its end. */
export async function expectTakenOver(place: Place, underway: Underway, stage: string): Promise<void> {
  const { flow, caseNo, shipments } = underway
  const status = await place.statusWhen(caseNo, ({ state }) => state === 'waiting')
  expect(status.stage).toBe(stage)
  const roles = (all: readonly FlowShipment[]) => all.map(({ role, shipmentUid }) => ({ role, shipmentUid }))
  expect(roles(status.shipments)).toEqual(roles(shipments))
  if (stage === 'ready') {
    await place.flows.cancel(caseNo, 'over')
    return
  }
  const { openings }: Journey = journeys[flow]
  for (const [name, opening] of Object.entries(openings).slice(Object.keys(openings).indexOf(stage))) {
    const shipment = shipments.find(({ role }) => role === opening?.role)
    if (opening === null || shipment === undefined) continue
    await place.statusWhen(caseNo, status => status.stage === name)
    await place.open(shipment, opening.code)
  }
  expect(await place.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
}
