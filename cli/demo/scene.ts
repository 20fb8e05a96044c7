import type { FlowClient } from '#client'
import type { FlowResult, FlowShipment, FlowStatus } from '#contract/terms'
import { flows as declarations, type FlowName } from '#workflows/flows'
import type { People } from './people.ts'
import type { Timeline } from './timeline.ts'

/** What somebody does in one stage of a flow: opens the locker of a role's shipment. */
export interface Act {
  readonly stage: string
  readonly told: string
  readonly done: keyof People
  readonly role: string
}

/** A flow of the demonstration: what is asked for, what people do, and how it has to end. */
export interface Scene {
  readonly flow: FlowName
  readonly caseNo: string
  readonly request: Record<string, unknown>
  readonly acts: readonly Act[]
  /** Role to the state that its shipment has to end in. */
  readonly endsWith: Readonly<Record<string, string>>
}

export interface Played {
  readonly scene: Scene
  readonly result: FlowResult | undefined
  /** Whether it ended as declared. */
  readonly well: boolean
  /** Milliseconds. */
  readonly took: number
}

/** How long a flow may take to hear of an opened locker, in milliseconds. */
export const usualPatience = 10_000

/** Runs a scene to its end, telling the timeline what happens. */
export async function play(
  scene: Scene,
  flows: FlowClient,
  people: People,
  timeline: Timeline,
  patience = usualPatience,
): Promise<Played> {
  const { flow, caseNo, request } = scene
  const start = performance.now()
  const tell = (what: string, since?: number) =>
    timeline.tell({ caseNo, what, ...(since !== undefined && { took: performance.now() - since }) })

  tell(`starts ${flow}: ${declarations[flow].summary}`)
  const booking = await flows.startAndWaitForBooking(flow, { caseNo, request })
  if (booking.kind !== 'Booked') {
    tell(`was not booked: ${booking.kind} ${'message' in booking ? booking.message : ''}`)
    return { scene, result: undefined, well: false, took: performance.now() - start }
  }
  tell(`booked: ${booking.shipments.map(described).join(', ')}`, start)

  for (const { stage, told, done, role } of scene.acts) {
    const shipment = booking.shipments.find(candidate => candidate.role === role)
    if (shipment === undefined) throw new Error(`${caseNo}: no shipment for ${role}`)
    await waitFor(flows, caseNo, patience, status => status.stage === stage)
    const opened = performance.now()
    await people[done](shipment)
    tell(`locker ${shipment.lockerName} opens: ${told}`)
    const { shipments } = await waitFor(flows, caseNo, patience, status => status.stage !== stage)
    tell(`${stage} is over: ${shipments.map(({ role, stateCode }) => `${role} ${stateCode}`).join(', ')}`, opened)
  }

  const ended = await flows.result(caseNo)
  const result = ended.kind === 'Ended' ? ended.result : undefined
  const well = result !== undefined && endsAsDeclared(scene, result)
  tell(`ends: ${result?.outcome ?? ended.kind}${well ? '' : ', and not as declared'}`, start)
  return { scene, result, well, took: performance.now() - start }
}

function endsAsDeclared({ endsWith }: Scene, { outcome, leftOver, shipments }: FlowResult): boolean {
  return (
    outcome === 'completed' &&
    leftOver.length === 0 &&
    Object.entries(endsWith).every(([role, state]) =>
      shipments.some(shipment => shipment.role === role && shipment.stateCode === state),
    )
  )
}

async function waitFor(
  flows: FlowClient,
  caseNo: string,
  patience: number,
  holds: (status: FlowStatus) => boolean,
): Promise<FlowStatus> {
  for (const start = performance.now(); performance.now() - start < patience; ) {
    const answer = await flows.status(caseNo)
    if (answer.kind === 'Status' && holds(answer.status)) return answer.status
    await new Promise(resolve => setTimeout(resolve, 20))
  }
  throw new Error(`${caseNo} did not go on within ${patience / 1_000} s`)
}

function described({ role, shipmentUid, lockerName, pupUid }: FlowShipment): string {
  return `${role} ${shipmentUid.slice(0, 8)} in locker ${lockerName} at ${pupUid}`
}
