import { afterAll, expect, test } from 'vitest'
import { checkFlows, describeFault, edgesOf } from '#declarations'
import type { FlowDeclaration } from '#flows'
import type { Step } from '#flows/declaration'
import { closeWorlds, simulate } from '#simulator'

afterAll(closeWorlds)

const parcel = {
  AllowLargerLockers: true,
  AllowOverflowLockers: false,
  Dimension: { width: 30, height: 15, length: 40 },
}
const place = { PupUid: { from: 'input.PupUid' }, ToUserUid: { from: 'input.ToUserUid' } } as const
const booked = { name: 'booking', summary: 'Lockers are booked.', request: { ...place, ...parcel } } as const
const question: Step = { name: 'question', summary: 'Staff agrees.', who: 'staff', ask: { yes: {} }, window: null }
const input = { PupUid: 'uid', ToUserUid: 'uid' } as const
const lost = { step: 'question', cause: 'cancelledOutside', next: 'end' }

test('a flow can end in a step since a shipment has ended with another one that the flow has cancelled', async () => {
  const steps: readonly Step[] = [
    { ...booked, book: 'CreateLocalShipmentAsIssueAndSwapIntake' },
    {
      name: 'free',
      summary: 'The issue is cancelled, and the intake with it.',
      call: 'CancelShipment',
      request: { shipmentUid: { from: 'issue.shipmentUid' } },
      keep: [],
    },
    question,
  ]
  const outputs = { issue: 'issue.shipmentUid', intake: 'intake.shipmentUid' }
  const flow: FlowDeclaration = { name: 'swapped', summary: 'An item is swapped.', input, steps, outputs }
  const request = { PupUid: { $pup: 1 }, ToUserUid: { $user: 1 } }
  const { edges, outcome } = await simulate({ flow: flow.name, flows: { [flow.name]: flow }, request, story: [] })
  expect({ outcome, last: edges.at(-1) }).toEqual({ outcome: 'cancelled', last: lost })
  expect(edgesOf(flow)).toContainEqual(lost)
  expect(checkFlows([flow]).map(describeFault)).toEqual([])
})
