import type { People } from '#cli'
import type { FlowShipment } from '#contract/terms'
import type { FlowName } from '#workflows/flows'
import type { World } from './world.ts'

/** A role, and a state that the flow is told of its shipment. */
export type Told = readonly [role: string, stateCode: string]

/** Somebody does something once the flow has been told all before it. */
export interface Act {
  readonly after: readonly Told[]
  readonly does: keyof People
  readonly role: string
}

export type MeasuredFlow = Extract<FlowName, 'issue' | 'issueFromStockAndSubsequentIntakeAndCircularStock'>

/** A flow from its request to its end. */
export interface Journey {
  readonly flow: MeasuredFlow
  /** As people call it. */
  readonly name: string
  /** Makes what has to be there before the flow, and answers the flow's request. */
  prepare(world: World): Promise<Record<string, unknown>>
  /** The request with the case number in it, as it is sent to the service. */
  withCase(request: Record<string, unknown>, caseNo: string): Record<string, unknown>
  readonly acts: readonly Act[]
}

export const issue: Journey = {
  flow: 'issue',
  name: 'issue',
  prepare: async ({ userUid, nextParcel }) => ({ ...nextParcel(), ToUserUid: userUid }),
  withCase: (request, caseNo) => ({ ...request, Details: { ReferenceCaseNo: caseNo } }),
  acts: [
    { after: [['issue', 'ReadyForDropOff']], does: 'dropOff', role: 'issue' },
    { after: [['issue', 'ReadyForPickup']], does: 'pickUp', role: 'issue' },
  ],
}

export const loan: Journey = {
  flow: 'issueFromStockAndSubsequentIntakeAndCircularStock',
  name: 'loan',
  prepare: async world => ({ PriorShipmentUid: await itemInStock(world), ToUserUid: world.userUid }),
  withCase(request, caseNo) {
    const reference = { ReferenceCaseNo: caseNo }
    return { ...request, Issue: reference, Return: reference, Details: reference }
  },
  acts: [
    {
      after: [
        ['issue', 'ReadyForPickup'],
        ['intake', 'WaitForPriorShipment'],
        ['stock', 'WaitForPriorShipment'],
      ],
      does: 'pickUp',
      role: 'issue',
    },
    {
      after: [
        ['issue', 'Completed'],
        ['intake', 'ReadyForDropOff'],
      ],
      does: 'dropOff',
      role: 'intake',
    },
  ],
}

async function itemInStock({ api, people, nextParcel }: World): Promise<string> {
  const parcel = nextParcel()
  const { shipmentUids } = await api.call('CreateLocalShipmentAsStock', parcel)
  const [shipmentUid = ''] = shipmentUids
  const { items } = await api.call('GetShipments', { shipmentUid })
  for (const item of items) await people.dropOff({ ...item, role: 'stock' } satisfies FlowShipment)
  return shipmentUid
}
