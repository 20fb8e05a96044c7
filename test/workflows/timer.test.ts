import { describe, expect, test } from 'vitest'
import type { PlannedFlow } from '../../workflows/context.ts'
import type { Runtime } from '../../workflows/runtime.ts'
import { createTimer, moveClock } from '../../workflows/timer.ts'
import { progressOf } from '../support/flows/progress.ts'

interface Started {
  readonly length: number
  readonly fire: () => void
  cancelled: boolean
}

/** A timer of a flow at moment 1000, and the timers that it has started. */
function start() {
  const started: Started[] = []
  const runtime = {
    now: () => 1_000,
    startTimer(length: number, _summary: string, fire: () => void) {
      const timer = { length, fire, cancelled: false }
      started.push(timer)
      return { cancel: () => Object.assign(timer, { cancelled: true }) }
    },
  } as unknown as Runtime
  return { timer: createTimer(runtime), started }
}

describe('a running timer of a flow', () => {
  test.each([
    ['a millisecond earlier is replaced', 4_999, [{ length: 4_000, cancelled: true }, { length: 3_999 }]],
    ['the same moment is kept', 5_000, [{ length: 4_000, cancelled: false }]],
    ['a later moment is kept', 5_001, [{ length: 4_000, cancelled: false }]],
    ['no moment is cancelled', null, [{ length: 4_000, cancelled: true }]],
  ])('that is set to %s', (_name, moment, timers) => {
    const { timer, started } = start()
    timer.setFor(5_000, 'window')
    timer.setFor(moment, 'window')
    expect(started).toMatchObject(timers)
    expect(started).toHaveLength(timers.length)
  })

  test('that was set to no moment is started again for a later one', () => {
    const { timer, started } = start()
    for (const moment of [5_000, null, 6_000]) timer.setFor(moment, 'window')
    expect(started).toMatchObject([{ cancelled: true }, { length: 5_000, cancelled: false }])
  })

  test('has fired until it is set again', () => {
    const { timer, started } = start()
    timer.setFor(5_000, 'window')
    expect(timer.fired()).toBe(false)
    started[0]?.fire()
    expect(timer.fired()).toBe(true)
    timer.setFor(5_000, 'window')
    expect([timer.fired(), started.length]).toEqual([false, 2])
  })

  test('that the clock has delayed fires later, so an earlier moment replaces it', () => {
    const { timer, started } = start()
    timer.setFor(5_000, 'window')
    timer.delay(1)
    timer.setFor(5_000, 'window')
    expect(started).toMatchObject([{ cancelled: true }, { length: 4_000, cancelled: false }])
  })
})

test.each([
  ['the past', 999],
  ['this moment', 1_000],
  ['the next millisecond', 1_001],
])('a timer for %s fires after a millisecond', (_name, moment) => {
  const { timer, started } = start()
  timer.setFor(moment, 'window')
  expect(started).toMatchObject([{ length: 1 }])
})

describe('the clock of a flow', () => {
  interface Row {
    readonly name: string
    readonly ahead?: number
    readonly until: number | null
    readonly moved: number
    readonly changes?: Partial<PlannedFlow>
  }
  const rows: Row[] = [
    { name: 'moves to the next moment', until: 1_400, moved: 400 },
    { name: 'moves to the wanted moment when the next one is a millisecond later', until: 1_501, moved: 500 },
    { name: 'moves to the wanted moment without a next one', until: null, moved: 500 },
    { name: 'moves by the last millisecond', ahead: 499, until: null, moved: 1 },
    { name: 'stands at the wanted moment', ahead: 500, until: 1_400, moved: 0 },
    { name: 'stands while work is under way', until: 1_400, moved: 0, changes: { work: [{} as never] } },
    { name: 'stands while a calendar is read', until: 1_400, moved: 0, changes: { resolving: [{} as never] } },
    { name: 'stands while the service is read', until: 1_400, moved: 0, changes: { isPolling: true } },
  ]

  test.each(rows)('$name', ({ ahead = 0, until, moved, changes }) => {
    const clock = { ahead, target: 500 }
    const set: number[] = []
    const runtime = { now: () => 1_000, setAhead: (milliseconds: number) => void set.push(milliseconds) }
    const progress = progressOf('ReadyForDropOff', { clock })
    const flow = { progress, runtime, work: [], resolving: [], ...changes } as unknown as PlannedFlow
    expect(moveClock(flow, until)).toBe(moved)
    expect(clock.ahead).toBe(ahead + moved)
    expect(set).toEqual(moved === 0 ? [] : [ahead + moved])
  })

  test('that production does not have never moves', () => {
    const flow = { progress: progressOf('ReadyForDropOff') } as unknown as PlannedFlow
    expect(moveClock(flow, 1_400)).toBe(0)
  })
})
