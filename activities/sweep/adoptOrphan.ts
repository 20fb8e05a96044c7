import type { Client } from '@temporalio/client'
import type { Api } from '#api'
import { createFlowClient, findCase } from '#client'
import type { ShipmentItem } from '#contract'
import type { FlowInput, OrphanedCase } from '#contract/terms'
import { type FlowDeclaration, type FlowName, flows } from '#workflows/flows'
import { readShipment } from '../shipments.ts'
import { linksOf, requestFrom } from './request.ts'

export interface AdoptOptions {
  readonly taskQueue: string
  /** Which flow a case belongs to that Temporal does not know. */
  readonly flow: string | undefined
}

const declared: Readonly<Record<string, FlowDeclaration>> = flows

/** Starts the flow of a case again, to take over what is booked. It books nothing: when nothing fits, it fails. */
export async function adoptOrphan(
  api: Api,
  client: Client,
  orphan: OrphanedCase,
  { taskQueue, flow: told }: AdoptOptions,
): Promise<OrphanedCase> {
  const { caseNo } = orphan
  const left = (why: string): OrphanedCase => ({ ...orphan, adopted: false, left: why })
  const known = await findCase(client, caseNo)
  // An earlier attempt of ours can have started it without an answer.
  if (known?.running) return known.input.adopt ? { ...orphan, adopted: true } : left('its flow runs again')
  if (known?.status === 'COMPLETED') return left('its flow ended by itself, and left this to a person')
  const flow = known?.flow ?? told
  if (flow === undefined) return left('say which flow it was, with --flow')
  const declaration = declared[flow]
  if (declaration === undefined) return left(`${flow} is no flow that books`)
  const input = known?.input ?? { request: requestFrom(declaration, await bookedFor(api, orphan)) }
  const answer = await createFlowClient(client, { taskQueue }).startAndWaitForBooking(flow as FlowName, {
    ...(input as FlowInput),
    caseNo,
    adopt: true,
  })
  if (answer.kind === 'Booked') return { ...orphan, adopted: true }
  if (answer.kind === 'Refused') return left(`the flow ended with ${answer.code}`)
  return left(
    answer.kind === 'BookingPending' ? 'the flow is started, and has no answer yet' : 'it was started meanwhile',
  )
}

/** What is booked for the case, and what has ended of it: the first shipment of a booking is often over first. */
async function bookedFor(api: Api, { caseNo, shipments }: OrphanedCase): Promise<ShipmentItem[]> {
  const items: ShipmentItem[] = []
  const uids = new Set(shipments.map(({ shipmentUid }) => shipmentUid))
  // A set is gone through to its end, also when it grows meanwhile.
  for (const uid of uids) {
    const item = await readShipment(api, uid)
    if (item === undefined || item.referenceCaseNo !== caseNo) continue
    items.push(item)
    for (const linked of linksOf(item)) uids.add(linked)
  }
  return items
}
