import { createFlowClient } from '#client'
import type { FlowShipment, FlowStatus } from '#flows'
import { repairShop } from '../../../examples/repair-shop/flows/repairShop.ts'
import type { World } from '../world/flowWorld.ts'

/** The steps in which a flow of the repair shop waits, in their order. */
export const waits = ['bringIn', 'fetch', 'quote', 'offer', 'repair', 'putBack', 'pickUp'] as const

export type Wait = (typeof waits)[number]

/** Milliseconds of 50 hours: the offer ends two days before the device is needed. */
const untilNeeded = 50 * 3_600_000

export function repairFlows({ client, taskQueue }: World) {
  return createFlowClient(client, { taskQueue, flows: [repairShop] })
}

export function repairRequest({ userUid }: World, neededIn = untilNeeded) {
  return {
    PupUid: 'pup-1',
    customerUid: userUid,
    size: { width: 30, height: 15, length: 40 },
    neededBy: new Date(Date.now() + neededIn).toISOString(),
  }
}

export interface RepairOptions {
  readonly windows?: Partial<Record<Wait, '300ms'>>
  /** Milliseconds. */
  readonly neededIn?: number
}

/** Starts a flow of the repair shop. @returns its case number */
export async function startRepair(world: World, { windows = {}, neededIn }: RepairOptions = {}): Promise<string> {
  // Each test sets the number of its bookings once it is known.
  const caseNo = world.newCase()
  const request = repairRequest(world, neededIn)
  const booking = await repairFlows(world).startAndWaitForBooking('repairShop', { caseNo, request, windows })
  if (booking.kind !== 'Booked') throw new Error(JSON.stringify(booking))
  return caseNo
}

/** Waits until a flow is in a step. */
export function inStep(world: World, caseNo: string, step: Wait): Promise<FlowStatus> {
  return world.statusWhen(caseNo, ({ stage }) => stage === step)
}

/** Does what lets a flow leave each step, up to the given one. */
export async function repairUntil(world: World, caseNo: string, until?: Wait): Promise<void> {
  for (const step of waits) {
    // The workbench may end between two polls.
    if (step === 'repair' && step !== until) continue
    const status = await inStep(world, caseNo, step)
    if (step === until) return
    if (step === 'putBack') world.cases.set(caseNo, 2)
    await leave[step](world, caseNo, status.shipments)
  }
}

type Leave = (world: World, caseNo: string, shipments: readonly FlowShipment[]) => Promise<unknown>

/** The actions of people in each step. The workbench does the repair. */
export const leave: Readonly<Record<Wait, Leave>> = {
  bringIn: (world, _, shipments) => openFor(world, shipments, 'intake', 'deliveryCode'),
  fetch: (world, _, shipments) => openFor(world, shipments, 'intake', 'pickUpCode'),
  quote: (world, caseNo) =>
    repairFlows(world).answer(caseNo, { step: 'quote', answer: 'priced', fields: { cents: 4900 }, by: 'kim' }),
  offer: (world, caseNo) => repairFlows(world).answer(caseNo, { step: 'offer', answer: 'agree', by: 'lee' }),
  repair: async () => undefined,
  putBack: (world, _, shipments) => openFor(world, shipments, 'back', 'deliveryCode'),
  pickUp: (world, _, shipments) => openFor(world, shipments, 'back', 'pickUpCode'),
}

async function openFor(
  world: World,
  shipments: readonly FlowShipment[],
  role: string,
  code: 'deliveryCode' | 'pickUpCode',
): Promise<void> {
  const shipment = shipments.find(each => each.role === role)
  if (shipment === undefined) throw new Error(`no shipment of the role ${role}`)
  await world.open(shipment, code)
}
