import { isDeepStrictEqual } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import type { FlowDeclaration } from '#flows'
import { edgesOf } from '#flows/check'
import type { Step } from '#flows/declaration'
import { closeWorlds, simulate } from '#testing/simulator'
import type { Story } from '#testing/story'

afterAll(closeWorlds)

const parcel = {
  AllowLargerLockers: true,
  AllowOverflowLockers: false,
  Dimension: { width: 30, height: 15, length: 40 },
}
const place = { PupUid: { from: 'input.PupUid' }, ToUserUid: { from: 'input.ToUserUid' } } as const
const booked = { name: 'booking', summary: 'Lockers are booked.', request: { ...place, ...parcel } } as const
/** The issue and the intake wait for one another. */
const swapped: Step = { ...booked, book: 'CreateLocalShipmentAsIssueAndSwapIntake' }
const free = (role: string): Step => ({
  name: `${role}Free`,
  summary: 'The shipment is cancelled.',
  call: 'CancelShipment',
  request: { shipmentUid: { from: `${role}.shipmentUid` } },
  keep: [],
  onError: { InvalidShipmentState: 'continue' },
})
const question: Step = { name: 'question', summary: 'Staff agrees.', who: 'staff', ask: { yes: {} }, window: null }
const input = { PupUid: 'uid', ToUserUid: 'uid' } as const

const outputs = { issue: 'issue.shipmentUid', error: 'issueFree.error' }
const request = { PupUid: { $pup: 1 }, ToUserUid: { $user: 1 } }

test.each<[next: string, step: Step, story: Story['story']]>([
  ['another step', question, [{ answer: 'yes', step: 'question' }]],
  ['the step that cancels it too', free('intake'), []],
  ['a step that cancels the same one again', { ...free('issue'), name: 'again' }, []],
])('a flow goes on with %s, after a shipment has ended with one that it cancels', async (_, next, story) => {
  const steps = [swapped, free('issue'), next]
  const flow: FlowDeclaration = { name: 'swapping', summary: 'An item is swapped.', input, steps, outputs }
  const run = await simulate({ flow: flow.name, flows: { [flow.name]: flow }, request, story })
  const { edges, outcome, status } = run
  const cause = 'ask' in next ? 'answer:yes' : 'reached'
  expect({ outcome, last: edges.at(-1) }).toEqual({
    outcome: 'completed',
    last: { step: next.name, cause, next: 'end' },
  })
  expect(status.shipments.map(({ stateCode }) => stateCode)).toEqual(['Cancelled', 'Cancelled'])
  const known = edgesOf(flow)
  expect(edges.filter(edge => !known?.some(each => isDeepStrictEqual(each, edge)))).toEqual([])
  // After a tolerated refusal of the first call both shipments have been cancelled by another program.
  const lost = { step: next.name, cause: 'cancelledOutside', next: 'end' }
  expect(known).toContainEqual(lost)
})

test('a shipment that the flow has ended leads to no refusal and to no end from outside', () => {
  const first: Step = { ...free('issue'), onError: {} }
  const flow = { name: 'swapping', summary: 'An item is swapped.', input, steps: [swapped, first, free('intake')] }
  const causes = edgesOf(flow)?.flatMap(({ step, cause }) => (step === 'intakeFree' ? [cause] : []))
  expect(causes?.toSorted()).toEqual(['cancel', 'reached'])
})

test('a flow can end before a step that sends the uid of a shipment, even if the step has a default for it', async () => {
  const issued: Step = { ...booked, book: 'CreateLocalShipmentAsIssue' }
  const placed: Step = {
    name: 'placed',
    summary: 'The item is placed.',
    wait: { issue: 'ReadyForPickup' },
    window: null,
  }
  const described: Step = {
    name: 'described',
    summary: 'The item is described.',
    call: 'SetShipmentDetails',
    request: { shipmentUid: { from: 'issue.shipmentUid', or: 'none' }, Description: 'An item', ReferenceNo: null },
    keep: [],
  }
  const steps = [issued, placed, { ...question, name: 'question' }, described]
  const flow: FlowDeclaration = { name: 'describing', summary: 'An item is described.', input, steps }
  const request = { PupUid: { $pup: 1 }, ToUserUid: { $user: 1 } }
  const story = [{ dropOff: 'issue' }, { cancelShipment: 'issue' }]
  const { edges, outcome } = await simulate({ flow: flow.name, flows: { [flow.name]: flow }, request, story })
  const lost = { step: 'question', cause: 'cancelledOutside', next: 'end' }
  expect({ outcome, last: edges.at(-1) }).toEqual({ outcome: 'cancelled', last: lost })
  expect(edgesOf(flow)).toContainEqual(lost)
})
