import { type BookingFlowName as FlowName, type FlowShipment, bookingFlows as flows, rolesOf } from '#flows'
import type { World } from '../world/flowWorld.ts'
import { type Journey, journeys, requestBeforeStock } from './journeys.ts'

/** A flow that has booked and is still running. */
export interface Underway {
  readonly flow: FlowName
  readonly caseNo: string
  readonly shipments: readonly FlowShipment[]
}

/** Starts a flow that will reach a stage. The stage `ready` only exists while the item is not in stock. */
export async function startFor(world: World, flow: FlowName, stage?: string, windows = {}): Promise<Underway> {
  const request = stage === 'ready' ? await requestBeforeStock(world) : await journeys[flow].prepare(world)
  return startWith(world, flow, request, windows)
}

export async function startWith(
  world: World,
  flow: FlowName,
  request: Record<string, unknown>,
  windows = {},
  caseNo = world.newCase(Object.keys(rolesOf(flows[flow])).length),
): Promise<Underway> {
  const booking = await world.flows.startAndWaitForBooking(flow, { caseNo, request, windows })
  if (booking.kind !== 'Booked') throw new Error(JSON.stringify(booking))
  return { flow, caseNo, shipments: booking.shipments }
}

/** Opens lockers until the flow has reached the given stage, or its end. */
export async function walk(world: World, underway: Underway, until?: string): Promise<void> {
  await openBefore(world, underway, until)
  if (until !== undefined) await world.statusWhen(underway.caseNo, status => status.stage === until)
}

/** Opens the lockers of all stages before the given one. The flow may have left that one when this returns. */
export async function openBefore(
  world: World,
  { flow, caseNo, shipments }: Underway,
  until: string | undefined,
): Promise<void> {
  const { openings }: Journey = journeys[flow]
  for (const [stage, opening] of Object.entries(openings)) {
    if (stage === until) break
    if (opening === null) continue
    await world.statusWhen(caseNo, status => status.stage === stage)
    const shipment = shipments.find(({ role }) => role === opening.role)
    if (shipment !== undefined) await world.open(shipment, opening.code)
  }
}

export function requireRole(shipments: readonly FlowShipment[], role: string): FlowShipment {
  const found = shipments.find(shipment => shipment.role === role)
  if (found === undefined) throw new Error(`there is no ${role}`)
  return found
}
