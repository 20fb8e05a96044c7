import type { FlowClient, FlowRequest } from '#client'
import { flows as declarations, type FlowResult, type FlowShipment, type FlowStatus } from '#flows'
import type { Openers } from '#testing/story/people'
import type { Scene } from './scenes.ts'
import type { Timeline } from './timeline.ts'

export interface Played {
  readonly scene: Scene
  readonly result: FlowResult | undefined
  /** True if the flow completed with the final states of the scene. */
  readonly succeeded: boolean
  readonly durationMs: number
}

/** Milliseconds that a flow has to react to an opened locker. */
export const defaultTimeout = 10_000
/** Milliseconds between two queries of a flow's status. */
const queryInterval = 20

/**
 * Runs a scene to its end and adds each step to the timeline.
 * @param timeout of a flow's reaction to an opened locker, in milliseconds
 * @throws Error when the flow does not react in time
 */
export async function playScene(
  scene: Scene,
  flows: FlowClient,
  people: Openers,
  timeline: Timeline,
  timeout = defaultTimeout,
): Promise<Played> {
  const { flow, caseNo, request } = scene
  const start = performance.now()
  const add = (text: string, since?: number) =>
    timeline.add({ caseNo, text, ...(since !== undefined && { durationMs: performance.now() - since }) })

  add(`starts ${flow}: ${declarations[flow].summary}`)
  const booking = await flows.startAndWaitForBooking(flow, { caseNo, request: request as FlowRequest<typeof flow> })
  if (booking.kind !== 'Booked') {
    add(`not booked: ${booking.kind} ${'message' in booking ? booking.message : ''}`)
    return { scene, result: undefined, succeeded: false, durationMs: performance.now() - start }
  }
  add(`booked: ${booking.shipments.map(describeShipment).join(', ')}`, start)

  for (const { stage, caption, action, role } of scene.steps) {
    const shipment = booking.shipments.find(candidate => candidate.role === role)
    if (shipment === undefined) throw new Error(`case ${caseNo} has no shipment for the role ${role}.`)
    await waitForStatus(flows, caseNo, timeout, status => status.stage === stage)
    const opened = performance.now()
    await people[action](shipment)
    add(`locker ${shipment.lockerName} opens: ${caption}`)
    const { shipments } = await waitForStatus(flows, caseNo, timeout, status => status.stage !== stage)
    add(`${stage} ended: ${shipments.map(({ role, stateCode }) => `${role} ${stateCode}`).join(', ')}`, opened)
  }

  const ended = await flows.result(caseNo)
  const result = ended.kind === 'Ended' ? ended.result : undefined
  const succeeded = result !== undefined && endsAsDeclared(scene, result)
  add(`ended: ${result?.outcome ?? ended.kind}${succeeded ? '' : ', not as declared'}`, start)
  return { scene, result, succeeded, durationMs: performance.now() - start }
}

function endsAsDeclared({ finalStates }: Scene, { outcome, leftOver, shipments }: FlowResult): boolean {
  return (
    outcome === 'completed' &&
    leftOver.length === 0 &&
    Object.entries(finalStates).every(([role, state]) =>
      shipments.some(shipment => shipment.role === role && shipment.stateCode === state),
    )
  )
}

async function waitForStatus(
  flows: FlowClient,
  caseNo: string,
  timeout: number,
  matches: (status: FlowStatus) => boolean,
): Promise<FlowStatus> {
  for (const start = performance.now(); performance.now() - start < timeout; ) {
    const current = await flows.status(caseNo)
    if (current.kind === 'Status' && matches(current.status)) return current.status
    await new Promise(resolve => setTimeout(resolve, queryInterval))
  }
  throw new Error(`case ${caseNo} did not react within ${timeout / 1_000} s.`)
}

function describeShipment({ role, shipmentUid, lockerName, pupUid }: FlowShipment): string {
  return `${role} ${shipmentUid.slice(0, 8)} in locker ${lockerName} at ${pupUid}`
}
