import { afterAll, describe, expect, test } from 'vitest'
import type { Edge } from '#flows'
import { edgesOf } from '#flows/check'
import { closeWorlds } from '#testing/simulator'
import { readRecordedCases } from '../../recordedCases/recordedCases.ts'
import { loadShipped } from '../../support/cases/shipped.ts'
import { deliverAs } from '../../support/simulator/recordedDelivery.ts'
import { toLines } from '../../support/simulator/runLines.ts'
import { playScaled } from '../../support/simulator/scaledCase.ts'

const { flows, calendars, cases: shipped } = await loadShipped()
const recorded = readRecordedCases()
/** The ways that the compared cases have taken, by flow. */
const taken = new Map<string, Set<string>>()

afterAll(closeWorlds)

test('every shipped case is recorded that real parts can run', () => {
  const toName = ({ flow, case: name }: { readonly flow: string; readonly case: string }) => `${flow}: ${name}`
  const names = recorded.map(toName)
  const left = shipped.cases.map(({ test }) => toName(test)).filter(name => !names.includes(name))
  // It waits for dates of a calendar.
  expect(left).toEqual(['parcelReturn: the shop has 40 hours to check the parcel, by its calendar'])
  expect(names.length).toBe(shipped.cases.length - left.length)
})

describe('the time line on the simulator equals the recorded history', () => {
  test.each(recorded.map(each => [each.flow, each.case, each] as const))('%s: %s', async (name, _, found) => {
    const loaded = shipped.cases.find(({ test }) => test.flow === name && test.case === found.case)
    const flow = flows[name]
    if (loaded === undefined || flow === undefined) throw new Error('no case of this name')
    const run = await playScaled(loaded, flow, {
      flows,
      calendars,
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
