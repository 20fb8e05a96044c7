import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { isFinalState } from '#contract/terms'
import { closeWorlds, openSimulation, type StoryEvent } from '#testing/simulator'
import { deliverBy } from '../../support/blocks/lives.ts'
import { seeded } from '../../support/seed.ts'

const roles = ['issue', 'intake', 'stock'] as const

const event: fc.Arbitrary<StoryEvent> = fc.oneof(
  fc.constantFrom(...roles).map(role => ({ dropOff: role })),
  fc.constantFrom(...roles).map(role => ({ pickUp: role })),
  fc.constantFrom(...roles).map(role => ({ cancelShipment: role })),
  fc.constantFrom('1h' as const, '2d' as const, '15d' as const).map(after => ({ after })),
  fc.constantFrom('extend' as const, 'keepWaiting' as const, 'cancel' as const).map(decide => ({ decide })),
  fc.constant({ cancel: 'random' }),
  fc.constant({ cancelInWebUi: true } as const),
  fc.constant({ loseWorker: true } as const),
)

afterAll(closeWorlds)

test('no story of a loan leaves a locker without a reason', async () => {
  const story = fc.array(event, { maxLength: 8 })
  const choices = fc.array(fc.nat(7), { minLength: 4, maxLength: 4 })
  await fc.assert(
    fc.asyncProperty(story, choices, fc.nat(1_000), async (events, given, own) => {
      const simulation = await openSimulation({ seed: own, delivery: deliverBy(given) })
      try {
        await simulation.start({
          flow: 'issueFromStockAndSubsequentIntakeAndCircularStock',
          before: { item: 'inStock' },
          request: { PriorShipmentUid: { $item: 'item' }, ToUserUid: { $user: 1 } },
        })
        for (const each of events) await simulation.apply(each)
        if (!simulation.hasEnded) await simulation.apply({ cancel: 'the end of the story' })
        for (let jumps = 0; !simulation.hasEnded && jumps < 1_000; jumps++) await simulation.jump()
        const { outcome, bookings, leftOver } = simulation.run()
        expect(outcome).toBeDefined()
        if (outcome === 'completed') return
        const left = leftOver.map(({ shipmentUid }) => shipmentUid)
        const open = bookings.filter(({ stateCode }) => !isFinalState(stateCode))
        expect(open.map(({ shipmentUid }) => shipmentUid).filter(uid => !left.includes(uid))).toEqual([])
      } finally {
        await simulation.close()
      }
    }),
    seeded(60),
  )
})
