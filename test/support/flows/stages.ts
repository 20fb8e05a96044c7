import { expect } from 'vitest'
import { cancellableIn } from '#activities'
import { type FlowDeclaration, type BookingFlowName as FlowName, bookingFlows as flows, rolesOf } from '#flows'
import type { WaitStep } from '#flows/declaration'
import type { World } from '../world/flowWorld.ts'
import { journeys } from './journeys.ts'
import type { Underway } from './underway.ts'

export interface StageOfFlow {
  readonly name: FlowName
  readonly stage: string
  readonly declaration: WaitStep
}

const inside = 'there is an item in the locker'
const before = 'it was in stock before the flow'

export const declared = Object.values(flows) as (FlowDeclaration & { readonly name: FlowName })[]

/**
 * The stages of the journeys in which a flow can wait. Stages that complete on entry are left out, except for `ready`,
 * which waits while the item is not in stock.
 */
export function waitedIn(flow: (typeof declared)[number]): readonly WaitStep[] {
  return flow.steps
    .filter(step => 'wait' in step)
    .filter(({ when = {} }) => Object.values(when).every(wanted => !wanted))
    .filter(stage => stage.name === 'ready' || journeys[flow.name].openings[stage.name] !== null)
}

export const stages: readonly StageOfFlow[] = declared.flatMap(flow =>
  waitedIn(flow).map(stage => ({ name: flow.name, stage: stage.name, declaration: stage })),
)

/** The left-overs of a flow that ends in a stage: shipments that hold an item or that it did not create. */
export async function expectCleanedUp(world: World, { flow, caseNo }: Underway, step: WaitStep): Promise<void> {
  const ended = await world.flows.result(caseNo)
  if (ended.kind !== 'Ended') throw new Error(JSON.stringify(ended))
  const { shipments, leftOver } = ended.result
  const roles = rolesOf(flows[flow])
  const cancels = cancellableIn(flows[flow], {}).get(step) ?? []
  for (const { role, shipmentUid, stateCode } of shipments) {
    const left = leftOver.find(item => item.shipmentUid === shipmentUid)
    if (stateCode === 'Completed' || stateCode === 'Cancelled') expect(left).toBeUndefined()
    else expect({ role, why: left?.reason }).toEqual({ role, why: roles[role]?.existing ? before : inside })
    if (cancels.includes(role)) expect(['Cancelled', 'Completed', 'ReadyForPickup']).toContain(stateCode)
  }
}
