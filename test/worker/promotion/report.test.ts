import { describe, expect, test } from 'vitest'
import type { Measurement } from '../../../worker/promotion/measure.ts'
import { toRampReport } from '../../../worker/promotion/report.ts'

const build = { deploymentName: 'lockerflow', buildId: 'new' }
const previous = { deploymentName: 'lockerflow', buildId: 'old' }

/** The line about the only step of a ramp. */
function lineOf(started: number, refused: number): string | undefined {
  const figures = { started, refused, overdue: 0 }
  const none = { open: 0, retrying: 0, activities: [] }
  const retried = { build: none, current: none }
  const measured: Measurement = { at: '', build: figures, current: figures, failing: [], retried, waiting: 0 }
  const steps = [{ percentage: 5, measured }]
  return toRampReport({ outcome: 'promoted', build, previous, objections: [], steps })[0]
}

describe('the line about a step of a ramp', () => {
  test('counts its flows', () => {
    expect(lineOf(3, 1)).toBe(
      '5 %: 3 flows began, 1 refused, 0 overdue, 0 with failing tasks, 0 with failing activities',
    )
  })

  test.each([
    [0, '0 flows'],
    [1, '1 flow'],
    [2, '2 flows'],
  ])('with %i flows says that they are too few for a comparison', (started, flows) => {
    const line = `5 %: ${flows} began, 0 refused, 0 overdue, 0 with failing tasks, 0 with failing activities`
    expect(lineOf(started, 0)).toBe(`${line}. Fewer than 3 flows are not compared: use a longer --watch`)
  })
})
