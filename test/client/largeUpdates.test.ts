import { expect, test } from 'vitest'
import { book } from '../support/flows/booking.ts'
import { useWorld } from '../support/world/useWorld.ts'

const world = useWorld()

test('an update that Temporal would end the flow for is refused, and the flow goes on', async () => {
  const { caseNo } = await book(world, 'stock')
  const text = 'x'.repeat(3_000_000)
  const { flows } = world
  const updates = [
    flows.cancel(caseNo, text),
    flows.decide(caseNo, { decision: 'cancel', notification: text }),
    flows.answer(caseNo, { step: 'quote', answer: 'priced', fields: { text } } as never),
    flows.assignReceiver(caseNo, text),
  ]
  for (const answer of await Promise.all(updates)) {
    expect(answer).toMatchObject({
      kind: 'Refused',
      code: 'InvalidFlowInput',
      message: expect.stringMatching(/^The update must have at most 262144 bytes, got 30000\d\d\. See /),
    })
  }
  expect(await flows.cancel(caseNo, 'over')).toMatchObject({ kind: 'Cancelled', leftOver: [] })
})
