import type { FlowClient } from '#client'
import type { FlowResult, FlowShipment, FlowStatus } from '#contract/terms'
import { flows as declarations, type FlowName } from '#workflows/flows'
import type { People } from './people.ts'
import type { Timeline } from './timeline.ts'

/** What people do in one stage of a flow. */
export interface Act {
  readonly stage: string
  readonly told: string
  readonly done: keyof People
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
  readonly took: number
}

/** How long a flow may take to hear of an opened locker, in milliseconds. */
const patience = 10_000

/** Runs a scene to its end, telling the timeline what happens. */
export async function play(scene: Scene, flows: FlowClient, people: People, timeline: Timeline): Promise<Played> {
  const { flow, caseNo, request } = scene
  const tell = (what: string, took?: number) =>
    timeline.tell({ flow, caseNo, what, ...(took !== undefined && { took }) })
  const start = performance.now()
  const played = (well: boolean, result?: FlowResult) => ({ scene, result, well, took: performance.now() - start })

  tell(`starts: ${declarations[flow].summary}`)
  const booking = await flows.startAndWaitForBooking(flow, { caseNo, request })
  if (booking.kind !== 'Booked') {
    tell(`was not booked: ${booking.kind} ${'message' in booking ? booking.message : ''}`)
    return played(false)
  }
  tell(`is booked: ${booking.shipments.map(described).join(', ')}`, performance.now() - start)

  for (const { stage, told, done } of scene.acts) {
    const [shipment] = booking.shipments
    if (shipment === undefined) return played(false)
    const opened = performance.now()
    await people[done](shipment)
    tell(`locker ${shipment.lockerName} opens: ${told}`)
    const status = await stageOver(flows, caseNo, stage)
    tell(
      `${stage} is over: ${status.shipments.map(({ role, stateCode }) => `${role} ${stateCode}`).join(', ')}`,
      performance.now() - opened,
    )
  }

  const ended = await flows.result(caseNo)
  const result = ended.kind === 'Ended' ? ended.result : undefined
  const well =
    result?.outcome === 'completed' &&
    result.leftOver.length === 0 &&
    Object.entries(scene.endsWith).every(([role, state]) =>
      result.shipments.some(shipment => shipment.role === role && shipment.stateCode === state),
    )
  tell(`ends: ${result?.outcome ?? ended.kind}${well ? '' : ', and not as declared'}`, performance.now() - start)
  return played(well, result)
}

/** Waits until the flow has left a stage. */
async function stageOver(flows: FlowClient, caseNo: string, stage: string): Promise<FlowStatus> {
  for (const start = performance.now(); performance.now() - start < patience; ) {
    const answer = await flows.status(caseNo)
    if (answer.kind === 'Status' && answer.status.stage !== stage) return answer.status
    await new Promise(resolve => setTimeout(resolve, 20))
  }
  throw new Error(`${caseNo}: ${stage} was not over after ${patience / 1_000} s`)
}

function described({ role, shipmentUid, lockerName, pupUid }: FlowShipment): string {
  return `${role} ${shipmentUid.slice(0, 8)} in locker ${lockerName} at ${pupUid}`
}
