import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { type FlowShipment, type OrphanedCase, type SweepInput, type SweepReport, toWorkflowId } from '#flows'
import type { World } from '../world/flowWorld.ts'
import { type Journey, journeys } from './journeys.ts'
import type { Underway } from './underway.ts'

/** Runs the sweep workflow like the command, for cases of any age. */
export function sweep(
  { client, taskQueue }: Pick<World, 'client' | 'taskQueue'>,
  order: Partial<SweepInput> = {},
): Promise<SweepReport> {
  const args = [{ act: 'list', olderThan: 1, ...order }]
  return client.workflow.execute('sweep', { workflowId: `sweep-${randomUUID()}`, taskQueue, args })
}

/** The only case of a sweep. */
export async function sweepCase(
  world: Pick<World, 'client' | 'taskQueue'>,
  caseNo: string,
  order: Partial<SweepInput> = {},
): Promise<OrphanedCase | undefined> {
  const { cases } = await sweep(world, { caseNo, ...order })
  return cases[0]
}

/** Terminates a flow, without its clean-up. */
export async function terminate({ client }: World, caseNo: string): Promise<void> {
  await client.workflow.getHandle(toWorkflowId(caseNo)).terminate('as an operator would')
}

/** The parts of a world that belong to one namespace. */
type Place = Pick<World, 'flows' | 'open' | 'statusWhen'>

/** Asserts that an adopted flow continues in the stage in which it was lost, with the same shipments and roles. */
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
