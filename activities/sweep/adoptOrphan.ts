import type { Client } from '@temporalio/client'
import { createFlowClient, type InputOf } from '#client'
import { findCase } from '#client/cases'
import type { ShipmentItem } from '#contract'
import type { Api } from '#contract/client'
import { allSteps, type FlowDeclaration, type FlowName, leftOverReasons, type OrphanedCase } from '#flows'
import { readShipment } from '../shipments.ts'
import { linkedUids, reconstructRequest } from './request.ts'

export interface AdoptOptions {
  readonly taskQueue: string
  /** The flow of a case that Temporal does not know. */
  readonly flow: string | undefined
  /** The flows of the worker. */
  readonly flows: Readonly<Record<string, FlowDeclaration>>
}

/** Starts the flow of a case again, to adopt its booking. It books nothing, and fails when no booking fits. */
export async function adoptOrphan(
  api: Api,
  client: Client,
  orphan: OrphanedCase,
  { taskQueue, flow: fallback, flows }: AdoptOptions,
): Promise<OrphanedCase> {
  const { caseNo } = orphan
  const left = (reason: string): OrphanedCase => ({ ...orphan, adopted: false, left: reason })
  const known = await findCase(client, caseNo)
  // An earlier attempt of this activity may have started it, without a response.
  if (known?.running) return known.input.adopt ? { ...orphan, adopted: true } : left(leftOverReasons.flowRuns)
  if (known?.status === 'COMPLETED') return left(leftOverReasons.endedByItself)
  const flow = known?.flow ?? fallback
  if (flow === undefined) return left('say which flow it was, with --flow')
  const declaration = Object.hasOwn(flows, flow) ? flows[flow] : undefined
  if (declaration === undefined || !allSteps(declaration.steps).some(step => 'book' in step))
    return left(`${flow} is not a booking flow`)
  if (known === undefined && declaration.input !== undefined) return left(`the input of ${flow} is no longer known`)
  const input = known?.input ?? { request: reconstructRequest(declaration, await readLinked(api, orphan)) }
  const answer = await createFlowClient(client, { taskQueue }).startAndWaitForBooking(flow as FlowName, {
    ...(input as InputOf<FlowName>),
    caseNo,
    // The type of a caller's input leaves these fields out. The declaration may have changed since the case was started.
    ...{ adopt: true, declaration: null },
  })
  if (answer.kind === 'Booked') return { ...orphan, adopted: true }
  if (answer.kind === 'Refused') return left(`the flow ended with ${answer.code}`)
  return left(
    answer.kind === 'BookingPending'
      ? 'the flow has started, but has not booked yet'
      : 'another caller started the flow meanwhile',
  )
}

/** All shipments of the case, ended ones too: the first shipment of a booking often ends first. */
async function readLinked(api: Api, { caseNo, shipments }: OrphanedCase): Promise<ShipmentItem[]> {
  const items: ShipmentItem[] = []
  const uids = new Set(shipments.map(({ shipmentUid }) => shipmentUid))
  // The iteration includes uids that are added meanwhile.
  for (const uid of uids) {
    const item = await readShipment(api, uid)
    if (item === undefined || item.referenceCaseNo !== caseNo) continue
    items.push(item)
    for (const linked of linkedUids(item)) uids.add(linked)
  }
  return items
}
