import { describe, expect, test } from 'vitest'
import { atLeast, type BuildFigures, isWorse } from '../../../worker/promotion/figures.ts'
import { findFault, type Measurement } from '../../../worker/promotion/measure.ts'

const figures = (started: number, refused = 0, overdue = 0): BuildFigures => ({ started, refused, overdue })

describe('the probability of at least', () => {
  test.each([
    [0, 5, 0.5, 1],
    [5, 5, 0.5, 0.03125],
    [1, 2, 0.5, 0.75],
    [3, 10, 0.1, 0.0701908264],
    [60, 5_000, 0.01, 0.0911752355],
  ])('%i of %i at %d is %d', (successes, trials, probability, expected) => {
    expect(atLeast(successes, trials, probability)).toBeCloseTo(expected, 4)
  })
})

describe('a build is worse', () => {
  test.each([
    ['all of its flows are refused, and the current build has none', figures(7, 7), figures(0), true],
    ['a tenth is refused, and of the current build a hundredth', figures(50, 5), figures(1_000, 10), true],
    ['three of ten are refused, and of the current build none', figures(10, 3), figures(500), true],
  ])('if %s', (_, build, current, worse) => {
    expect(isWorse('refused', { build, current })).toBe(worse)
    const overdue = (all: BuildFigures) => figures(all.started, 0, all.refused)
    expect(isWorse('overdue', { build: overdue(build), current: overdue(current) })).toBe(worse)
  })

  test.each([
    ['two flows are refused', figures(2, 2), figures(1_000)],
    ['as many are refused as before', figures(100, 10), figures(1_000, 100)],
    ['little more is refused', figures(20, 3), figures(100, 10)],
    ['none has begun', figures(0), figures(100)],
  ])('but not if %s', (_, build, current) => {
    expect(isWorse('refused', { build, current })).toBe(false)
  })
})

describe('a measurement', () => {
  const retried = (open: number, retrying: number) => ({ open, retrying, activities: retrying > 0 ? ['print'] : [] })
  const good: Measurement = {
    at: '',
    build: figures(10),
    current: figures(10),
    failing: [],
    retried: { build: retried(10, 0), current: retried(10, 0) },
    waiting: 0,
  }

  test('without a fault lets the ramp go on', () => {
    expect(findFault(good)).toBeUndefined()
  })

  test('names cases whose workflow tasks fail', () => {
    expect(findFault({ ...good, failing: ['A-1'] })).toBe('workflow tasks fail: A-1')
  })

  test('counts tasks that no worker takes', () => {
    expect(findFault({ ...good, waiting: 20_000 })).toBe('no worker has taken a task for 20 s')
  })

  test.each([
    [4, 4, 4, 0, 'print: 4 of 4 open flows repeat a failing activity, 0 of 4 on the current build'],
    [2, 2, 9, 0, undefined],
    [4, 4, 4, 4, undefined],
  ])('compares %i open flows of which %i repeat an activity with %i and %i', (open, bad, openNow, badNow, fault) => {
    const measured = { ...good, retried: { build: retried(open, bad), current: retried(openNow, badNow) } }
    expect(findFault(measured)).toBe(fault)
  })

  test('names both shares', () => {
    const refusing = { ...good, build: figures(10, 9), current: figures(100, 1) }
    expect(findFault(refusing)).toBe('9 of 10 flows are refused, 1 of 100 on the current build')
  })
})
