import type { Client } from '@temporalio/client'
import { createApi } from '#api'
import { createPeople } from '#cli'
import { createFlowClient } from '#client'
import { type FlowShipment, type FlowStatus, toWorkflowId } from '#flows'
import { repairShop } from '../../../examples/repair-shop/flows/repairShop.ts'
import { eventually } from '../eventually.ts'

interface Device {
  readonly client: Client
  /** The service of the demonstration. */
  readonly baseUrl: string
  readonly caseNo: string
  readonly customerUid: string
}

/** Runs the flow of the repair shop to its end, and does what people do. Returns the result of the flow. */
export async function repairDevice({ client, baseUrl, caseNo, customerUid }: Device): Promise<unknown> {
  const flows = createFlowClient(client, { flows: [repairShop] })
  const api = createApi({ baseUrl, authUrl: baseUrl, clientId: 'acme', clientSecret: 'acme-secret' })
  const people = createPeople(api)
  const handle = client.workflow.getHandle(toWorkflowId(caseNo))

  /** Waits until the flow is in a step. */
  async function shipmentIn(step: string, role: string): Promise<FlowShipment> {
    const inStep = ({ stage, shipments }: FlowStatus) => (stage === step ? shipments : undefined)
    const shipments = await eventually(() => handle.query<FlowStatus>('status').then(inStep))
    const shipment = shipments.find(each => each.role === role)
    if (shipment === undefined) throw new Error(`no shipment ${role} in ${step}`)
    return shipment
  }

  try {
    const neededBy = new Date(Date.now() + 7 * 86_400_000).toISOString()
    const request = { PupUid: 'pup-1', customerUid, size: { width: 30, height: 15, length: 40 }, neededBy }
    const started = await flows.startAndWaitForBooking('repairShop', { caseNo, request })
    if (started.kind !== 'Booked') throw new Error(JSON.stringify(started))
    await people.dropOff(await shipmentIn('bringIn', 'intake'))
    await people.pickUp(await shipmentIn('fetch', 'intake'))
    await shipmentIn('quote', 'intake')
    await flows.answer(caseNo, { step: 'quote', answer: 'priced', fields: { cents: 4900 }, by: 'kim' })
    await shipmentIn('offer', 'intake')
    await flows.answer(caseNo, { step: 'offer', answer: 'agree', by: 'lee' })
    await people.dropOff(await shipmentIn('putBack', 'back'))
    await people.pickUp(await shipmentIn('pickUp', 'back'))
    return await handle.result()
  } finally {
    await api.close()
  }
}
