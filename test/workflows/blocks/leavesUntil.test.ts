import { afterAll, expect, test } from 'vitest'
import type { Step } from '#flows/declaration'
import { closeWorlds } from '#testing/simulator'
import { asks, block, flowOf, play, work } from '../../support/blocks/blockFlows.ts'

afterAll(closeWorlds)

/** The order is over with the goods, and what is noted of an item with the next step of the same item. */
const steps: readonly Step[] = [
  work('order', { undo: { leaves: 'The parts are ordered.', until: 'goods' }, leaves: 'The order was sent.' }),
  block('parcels', {
    forEach: 'input.parts' as const,
    item: 'part',
    key: 'sku',
    atMost: 5,
    steps: [work('noted', { undo: 'nothing', leaves: { text: 'A part is noted.', until: 'struck' } }), asks('struck')],
  }),
  block('both', { group: [asks('goods')] }),
  asks('last'),
]

const yes = (step: string, item?: string) => ({ answer: 'yes', step, ...(item !== undefined && { item }) })

test.each([
  ['before', [], ['noted[B]', 'noted[A]', 'order: The order was sent.', 'order: The parts are ordered.']],
  [
    'after one of them',
    [yes('struck', 'A')],
    ['noted[B]', 'order: The order was sent.', 'order: The parts are ordered.'],
  ],
  ['after all', [yes('struck', 'A'), yes('struck', 'B'), yes('goods')], ['order: The order was sent.']],
])('a sentence is left over until its later step is complete: cancelled %s', async (_, story, expected) => {
  const run = await play(flowOf(steps), {
    request: { parts: [{ sku: 'A' }, { sku: 'B' }] },
    story: [...story, { cancel: 'test' }],
  })
  const left = run.run().leftOver.map(({ step, reason }) => (step.startsWith('noted') ? step : `${step}: ${reason}`))
  expect(left).toEqual(expected)
})

test('a sentence stays whose later step the flow has left out', async () => {
  const goods = { ...asks('goods'), when: { 'input.parts': { present: true } } } as const
  const run = await play(flowOf([steps[0] as Step, goods, asks('last')]), { story: [{ cancel: 'test' }] })
  expect(run.run().leftOver.map(({ reason }) => reason)).toEqual(['The order was sent.', 'The parts are ordered.'])
})
