import { afterAll, describe, expect, test } from 'vitest'
import type { Edge } from '#flows'
import { edgesOf } from '#flows/check'
import { closeWorlds } from '#testing/simulator'
import { readRecordedCases } from '../../recordedCases/recordedCases.ts'
import { loadShipped } from '../../support/cases/shipped.ts'
import { deliverAs } from '../../support/simulator/recordedDelivery.ts'
import { toLines } from '../../support/simulator/runLines.ts'
import { playScaled } from '../../support/simulator/scaledCase.ts'

const { flows, cases: shipped } = await loadShipped()
const recorded = readRecordedCases()
/** The ways that the compared cases have taken, by flow. */
const taken = new Map<string, Set<string>>()

afterAll(closeWorlds)

test('every shipped case is recorded', () => {
  const toName = ({ flow, case: name }: { readonly flow: string; readonly case: string }) => `${flow}: ${name}`
  const names = recorded.map(toName)
  expect(names.toSorted()).toEqual(shipped.cases.map(({ test }) => toName(test)).toSorted())
})

describe('the time line on the simulator equals the recorded history', () => {
  test.each(recorded.map(each => [each.flow, each.case, each] as const))('%s: %s', async (name, _, found) => {
    const loaded = shipped.cases.find(({ test }) => test.flow === name && test.case === found.case)
    const flow = flows[name]
    if (loaded === undefined || flow === undefined) throw new Error('no case of this name')
    const run = await playScaled(loaded, flow, {
      flows,
      delivery: deliverAs([{ timeLineEvents: [], handled: found.tasks }]),
      replaysEachTask: true,
      startAt: Date.parse(found.startedAt),
    })
    const { timeLine, edges } = run.simulation.run()
    await run.close()
    expect(toLines(timeLine)).toEqual(found.lines)
    const ways = taken.get(name) ?? new Set()
    taken.set(name, ways)
    for (const edge of edges) ways.add(toText(edge))
  })
})

describe('the compared cases take every way', () => {
  test.each(Object.keys(flows))('of %s', name => {
    const flow = flows[name]
    const all = flow === undefined ? [] : (edgesOf(flow) ?? []).map(toText)
    expect(all.length).toBeGreaterThan(0)
    expect(all.filter(way => !taken.get(name)?.has(way))).toEqual([])
  })
})

function toText({ step, cause, next }: Edge): string {
  return `${step} ${cause} ${next}`
}
