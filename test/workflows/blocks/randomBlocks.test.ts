import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { checkFlows, edgesOf as exploredEdges } from '#flows/check'
import { closeWorlds } from '#testing/simulator'
import { deliverBy, type Lived, live, randomLives } from '../../support/blocks/lives.ts'
import { randomBlocks } from '../../support/blocks/randomBlocks.ts'
import { seeded } from '../../support/seed.ts'

afterAll(closeWorlds)

/** LOCKERFLOW_TEST_RUNS asks for more. */
const parameters = seeded(Number(process.env.LOCKERFLOW_TEST_RUNS ?? 40))
console.info(`random blocks: LOCKERFLOW_TEST_SEED=${parameters.seed}`)

/** Each effect happens once, and is undone at most once; all are undone in a flow that has not completed. */
function expectUndone({ effects, outcome, beforeCancel }: Lived): void {
  const keysOf = (word: string) => effects.filter(each => each.startsWith(word)).map(each => each.slice(word.length))
  const done = keysOf('work w')
  const undone = keysOf('undo w')
  expect(new Set(done).size).toBe(done.length)
  expect(undone.filter((key, index) => undone.indexOf(key) < index || !done.includes(key))).toEqual([])
  if (outcome !== 'completed') expect(undone.toSorted()).toEqual(done.toSorted())
  if (beforeCancel === undefined || outcome !== 'cancelled') return
  // Nothing else runs after the cancellation, and what began last is undone first.
  const after = effects.slice(beforeCancel).map(each => each.replace('undo w', ''))
  expect(after).toEqual(done.filter(key => after.includes(key)).toReversed())
}

test('random blocks take explored edges, undo what they leave, end, and replay', async () => {
  await fc.assert(
    fc.asyncProperty(randomBlocks, randomLives, async (flow, life) => {
      fc.pre(checkFlows([flow]).every(({ warning }) => warning))
      const explored = new Set((exploredEdges(flow) ?? []).map(({ step, cause, next }) => `${step} ${cause} ${next}`))
      const expectSound = (lived: Lived) => {
        expect(lived.edges.filter(edge => !explored.has(edge))).toEqual([])
        expect(lived).toMatchObject({ forgotten: [], hangs: false })
        expectUndone(lived)
      }
      const first = await live(flow, life)
      expectSound(first)
      expect(await live(flow, life, { replaysEachTask: true })).toEqual(first)
      const continued = await live(flow, life, { suggestedAt: 1 })
      expectSound(continued)
      // Work that ends at the same moment as another step can end after it.
      if (life.takes === undefined) expect(continued).toEqual(first)
      expectSound(await live(flow, life, { delivery: deliverBy(life.choices.slice(0, 7)) }))
    }),
    parameters,
  )
})
