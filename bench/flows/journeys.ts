import type { AnswerUpdate, FlowName, FlowShipment } from '#flows'
import type { Openers } from '#testing/story/people'
import { inspection } from './inspection.ts'
import type { World } from './world.ts'

/** A role, and a state of its shipment that a callback reports. */
export type ReportedState = readonly [role: string, stateCode: string]

/** A person opens a locker, once the flow has handled the callbacks before it. */
export interface Access {
  readonly after: readonly ReportedState[]
  readonly does: keyof Openers
  readonly role: string
}

/** A person answers an ask step, once the flow has handled the result of the activity before it. */
export interface Reply {
  readonly afterActivity: string
  readonly answers: Pick<AnswerUpdate, 'step' | 'answer'>
}

export type Act = Access | Reply

export type MeasuredFlow =
  | Extract<FlowName, 'issue' | 'issueFromStockAndSubsequentIntakeAndCircularStock'>
  | typeof inspection.name

/** A flow from its request to its end. */
export interface Journey {
  readonly flow: MeasuredFlow
  /** The name in the table of results. */
  readonly name: string
  /** Creates the preconditions of the flow and returns its request. */
  prepare(world: World): Promise<Record<string, unknown>>
  /** Adds the case number to the request, as the flow does before it calls the service. */
  withCase(request: Record<string, unknown>, caseNo: string): Record<string, unknown>
  readonly acts: readonly Act[]
}

const dropOff: Access = { after: [['issue', 'ReadyForDropOff']], does: 'dropOff', role: 'issue' }
const pickUp: Access = { after: [['issue', 'ReadyForPickup']], does: 'pickUp', role: 'issue' }

export const issue: Journey = {
  flow: 'issue',
  name: 'issue',
  prepare: async ({ userUid, nextParcel }) => ({ ...nextParcel(), ToUserUid: userUid }),
  withCase: (request, caseNo) => ({ ...request, Details: { ReferenceCaseNo: caseNo } }),
  acts: [dropOff, pickUp],
}

/** An issue with two steps of its own between the accesses. */
export const inspectedIssue: Journey = {
  ...issue,
  flow: inspection.name,
  name: 'flow with steps of its own',
  acts: [dropOff, { afterActivity: 'inspect', answers: { step: 'offer', answer: 'agree' } }, pickUp],
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
