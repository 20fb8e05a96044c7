import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FlowDeclaration } from '#flows'
import { edgeDiagram } from '#flows/check'
import {
  type CaseReport,
  coverageOf,
  describeEdge,
  describeProblem,
  hasFailed,
  isCovered,
  runCases,
  toEdgeKey,
} from '#testing/cases'
import { createSimulatedTarget } from '#testing/story/simulated'
import { loadShipped } from '../../support/cases/shipped.ts'

let flows: Readonly<Record<string, FlowDeclaration>>
let report: CaseReport
const target = createSimulatedTarget()

beforeAll(async () => {
  const shipped = await loadShipped()
  flows = shipped.flows
  report = await runCases(shipped.cases, flows, createSimulatedTarget(Object.values(shipped.own)))
})

afterAll(() => target.stop())

test('every shipped case passes on the simulator', () => {
  const failed = report.results.filter(({ problems }) => problems.length > 0)
  expect(failed.flatMap(({ problems }) => problems.map(describeProblem))).toEqual([])
  expect(report.faults).toEqual([])
})

test('they take every way of every built-in flow and of the example', () => {
  expect(report.coverage.map(({ flow }) => flow.name).toSorted()).toEqual(Object.keys(flows).toSorted())
  const unseen = report.coverage.flatMap(({ flow, unseen }) => unseen.map(edge => `${flow.name} ${describeEdge(edge)}`))
  // Each list that needs the shipment could learn of its end. In a run, one of them does.
  expect(unseen).toEqual(
    ['receiver', 'set', 'tries', 'assign'].map(step => `localShipment ${step} → end (cancelledOutside)`),
  )
  expect(isCovered(report)).toBe(false)
  const whole = report.coverage.filter(({ flow }) => flow.name !== 'localShipment')
  expect(isCovered({ ...report, coverage: whole })).toBe(true)
})

test('they take no way that the check of declarations does not know', () => {
  expect(report.coverage.flatMap(({ unknown }) => unknown.map(describeEdge))).toEqual([])
})

test('without a case, the paths that it alone takes are red', () => {
  const name = 'the customer does not answer, and gets the device two days before it is needed'
  const pictureOf = (results: CaseReport['results']) => {
    const [coverage] = coverageOf(results, flows).filter(({ flow }) => flow.name === 'repairShop')
    if (coverage === undefined) throw new Error('no case of the repair shop')
    return { coverage, picture: edgeDiagram(coverage.flow, edge => coverage.taken.has(toEdgeKey(edge))) }
  }
  const whole = pictureOf(report.results)
  expect(whole.picture).not.toContain('#c62828')
  const less = pictureOf(report.results.filter(result => result.case !== name))
  expect(less.coverage.unseen).toEqual([{ step: 'offer', cause: 'timeout.goTo', next: 'backBooking' }])
  expect(less.picture).toMatch(/offer -->\|timeout\.goTo\| backBooking\n {2}linkStyle \d+ stroke:#c62828/)
  expect(less.picture.match(/#c62828,stroke-width/g)).toHaveLength(1)
})

describe('a path that the check does not know', () => {
  test('fails the run, and is reported as a defect of the check', () => {
    const [first] = report.results
    if (first === undefined) throw new Error('no result')
    const strange = {
      ...first,
      edges: [...first.edges, { step: 'booking', cause: 'remind', next: 'booking' } as const],
    }
    const results = [strange]
    const broken = { ...report, results, coverage: coverageOf(results, flows) }
    expect(broken.coverage[0]?.unknown).toEqual([{ step: 'booking', cause: 'remind', next: 'booking' }])
    expect(hasFailed(broken)).toBe(true)
    expect(hasFailed(report)).toBe(false)
  })
})
