import { expect } from 'vitest'
import { type FlowDeclaration, type FlowName, flows, type Stage } from '#workflows/flows'
import { journeys } from './journeys.ts'
import type { Underway } from './underway.ts'
import type { World } from './world.ts'

export interface StageOfFlow {
  readonly name: FlowName
  readonly stage: string
  readonly declaration: Stage
}

const inside = 'there is an item in the locker'
const before = 'it was in stock before the flow'

export const declared = Object.values(flows) as (FlowDeclaration & { readonly name: FlowName })[]

/**
 * The stages of the journeys that a flow can be kept waiting in. One that is over as soon as it begins cannot be waited
 * in; `ready` can, when the item is not in stock yet.
 */
export function waitedIn({ name, stages }: (typeof declared)[number]): readonly Stage[] {
  return stages
    .filter(({ when = {} }) => Object.values(when).every(wanted => !wanted))
    .filter(stage => stage.name === 'ready' || journeys[name].openings[stage.name] !== null)
}

export const stages: readonly StageOfFlow[] = declared.flatMap(flow =>
  waitedIn(flow).map(stage => ({ name: flow.name, stage: stage.name, declaration: stage })),
)

/** What is left when a flow ends in a stage: what holds an item, and what was there before. */
export async function expectCleanedUp(world: World, { flow, caseNo }: Underway, { cancels }: Stage): Promise<void> {
  const ended = await world.flows.result(caseNo)
  if (ended.kind !== 'Ended') throw new Error(JSON.stringify(ended))
  const { shipments, leftOver } = ended.result
  const roles: FlowDeclaration['roles'] = flows[flow].roles
  for (const { role, shipmentUid, stateCode } of shipments) {
    const left = leftOver.find(item => item.shipmentUid === shipmentUid)
    if (stateCode === 'Completed' || stateCode === 'Cancelled') expect(left).toBeUndefined()
    else expect({ role, why: left?.why }).toEqual({ role, why: roles[role]?.given ? before : inside })
    if (cancels.includes(role)) expect(['Cancelled', 'Completed', 'ReadyForPickup']).toContain(stateCode)
  }
}
