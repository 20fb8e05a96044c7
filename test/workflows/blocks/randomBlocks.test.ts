import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { checkFlows, edgesOf as exploredEdges } from '#flows/check'
import type { FlowDeclaration } from '#flows/declaration'
import { closeWorlds, type Simulation } from '#testing/simulator'
import { edgesOf, effectsOf, play } from '../../support/blocks/blockFlows.ts'
import { randomBlocks } from '../../support/blocks/randomBlocks.ts'
import { seeded } from '../../support/seed.ts'

afterAll(closeWorlds)

/** LOCKERFLOW_TEST_RUNS asks for more. */
const parameters = seeded(Number(process.env.LOCKERFLOW_TEST_RUNS ?? 60))
console.info(`random blocks: LOCKERFLOW_TEST_SEED=${parameters.seed}`)

const request = { parts: ['A', 'B', 'C'].map(sku => ({ sku })) }

/** Answers and time, as the choices say, until the flow ends, or is cancelled. */
async function live(simulation: Simulation, choices: readonly number[], cancelAt: number): Promise<void> {
  for (const [index, choice] of choices.entries()) {
    if (simulation.hasEnded) return
    if (index === cancelAt) await simulation.apply({ cancel: 'test' })
    const lines = simulation.status().lines ?? []
    const { asks } = simulation.status()
    const open = [...lines.flatMap(line => (line.asks ? [line.asks.step] : [])), ...(asks ? [asks.step] : [])]
    const step = open[choice % Math.max(1, open.length)]
    if (step !== undefined && choice % 3 !== 0) await simulation.apply({ answer: 'yes', step } as never)
    else await simulation.advance((1 + (choice % 7)) * 3_600_000)
  }
  if (!simulation.hasEnded) await simulation.apply({ cancel: 'the end of the test' })
}

async function run(flow: FlowDeclaration, choices: readonly number[], cancelAt: number, options: object) {
  const simulation = await play(flow, { request, ...options })
  await live(simulation, choices, cancelAt)
  expect(simulation.hasEnded).toBe(true)
  const result = { effects: effectsOf(simulation), edges: edgesOf(simulation), outcome: simulation.run().outcome }
  await simulation.close()
  return result
}

test('random blocks take explored edges, undo what they leave, and replay', async () => {
  await fc.assert(
    fc.asyncProperty(
      randomBlocks,
      fc.array(fc.nat(60), { minLength: 30, maxLength: 30 }),
      fc.integer({ min: 0, max: 40 }),
      async (flow, choices, cancelAt) => {
        fc.pre(checkFlows([flow]).every(({ warning }) => warning))
        const first = await run(flow, choices, cancelAt, {})
        const explored = new Set((exploredEdges(flow) ?? []).map(({ step, cause, next }) => `${step} ${cause} ${next}`))
        expect(first.edges.filter(edge => !explored.has(edge))).toEqual([])
        const done = first.effects.filter(effect => effect.startsWith('work w')).map(effect => effect.slice(5))
        const undone = first.effects.filter(effect => effect.startsWith('undo ')).map(effect => effect.slice(5))
        expect(new Set(done).size).toBe(done.length)
        expect(undone.filter((key, index) => undone.indexOf(key) < index || !done.includes(key))).toEqual([])
        if (first.outcome !== 'completed') expect(undone.toSorted()).toEqual(done.toSorted())
        expect(await run(flow, choices, cancelAt, { replaysEachTask: true })).toEqual(first)
        expect(await run(flow, choices, cancelAt, { suggestedAt: 1 })).toEqual(first)
      },
    ),
    parameters,
  )
})
