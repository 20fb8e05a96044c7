import { describe, expect, test } from 'vitest'
import type { FlowPicture, PlannedStep } from '#flows'
import { runDiagram, runSvg } from '#flows/check'
import { type LeftStep, type PictureSource, toPicture } from '#flows/pictureOfRun'

const start = Date.parse('2026-11-21T10:00Z')
const minute = 60_000

function stepOf(name: string, window: number | null = 3_600_000): PlannedStep {
  const until = window === null ? null : { length: window }
  return { name, kind: 'sleep', summary: `Time passes in ${name}.`, until, cancels: [] }
}

const steps = ['one', 'two', 'three', 'four', 'five', 'six'].map(name => stepOf(name))
const left = (step: number, cause: LeftStep['cause'], next: number | null): LeftStep => ({
  ...{ step, cause, next },
  at: start + step * minute,
})

function pictureOf(changes: Partial<PictureSource>, planned: PlannedStep[] = steps): FlowPicture {
  return toPicture({
    plan: { flow: 'waiting', caseNo: 'A-1', summary: 'Time passes.', steps: planned },
    ...{
      way: [],
      step: 0,
      hasEnded: false,
      since: start,
      deadline: start + 60 * minute,
      overdue: false,
      outcome: null,
    },
    ...changes,
  })
}

const statesOf = ({ steps }: FlowPicture) => steps.map(({ state }) => state)

/** The marks of the steps in SVG. */
const marksOf = (picture: FlowPicture) =>
  [...runSvg(picture).matchAll(/">([✓✗▶–]?)<\/text><\/g>/g)].map(([, mark]) => mark)

describe('the picture of a run', () => {
  const way = [left(0, 'reached', 1), left(1, 'timeout.goTo', 3), left(3, 'skipped', 4)]

  test('has its way, what it left out, the current step, and what may come', () => {
    const picture = pictureOf({ way, step: 4 })
    expect(statesOf(picture)).toEqual(['done', 'done', 'leftOut', 'leftOut', 'current', 'ahead'])
    expect(picture).toMatchObject({ until: '2026-11-21T11:00:00.000Z', outcome: null, overdue: false })
    expect(picture.steps[1]).toEqual({
      name: 'two',
      kind: 'sleep',
      summary: 'Time passes in two.',
      state: 'done',
      since: '2026-11-21T10:00:00.000Z',
      left: '2026-11-21T10:01:00.000Z',
      cause: 'timeout.goTo',
      next: 'five',
      window: '1h',
    })
  })

  test('of a flow that ended early leaves out the rest', () => {
    const picture = pictureOf({
      way: [left(0, 'reached', 1), left(1, 'cancel', null)],
      step: 1,
      hasEnded: true,
      outcome: 'cancelled',
    })
    expect(statesOf(picture)).toEqual(['done', 'done', 'leftOut', 'leftOut', 'leftOut', 'leftOut'])
    expect(picture.steps[1]?.next).toBe('end')
  })

  test('of a run that began without noting its way has the steps before the current one', () => {
    expect(statesOf(pictureOf({ step: 2 }))).toEqual(['done', 'done', 'current', 'ahead', 'ahead', 'ahead'])
    const ended = {
      step: 3,
      hasEnded: true,
      outcome: 'cancelled',
      way: [left(2, 'reached', 3), left(3, 'cancel', null)],
    }
    expect(statesOf(pictureOf(ended))).toEqual(['done', 'done', 'done', 'done', 'leftOut', 'leftOut'])
  })

  test('of a flow that failed has the step of the failure, which is not a way out of a step', () => {
    const failed = pictureOf({
      way: [left(0, 'reached', 1)],
      step: 1,
      hasEnded: true,
      outcome: 'failed',
      deadline: null,
    })
    expect(statesOf(failed)).toEqual(['done', 'done', 'leftOut', 'leftOut', 'leftOut', 'leftOut'])
    expect(failed.steps[1]).toMatchObject({ cause: null, next: 'end', since: '2026-11-21T10:00:00.000Z' })
    expect(runDiagram(failed)).toContain('Time passes in two.<br/>failed"]')
    expect(runDiagram(failed)).toContain('  s1 ==>|"failed"| finish\n')
    expect(marksOf(failed)).toEqual(['✓', '✗', '–', '–', '–', '–'])
    expect(runDiagram(failed)).toContain('  class s0 done\n')
    expect(runDiagram(failed)).toContain('  class s1 failed\n')
  })

  test('of a flow that failed by a refusal that its step names has the step of the failure', () => {
    const way = [left(0, 'reached', 1), left(1, 'error:FlatUnknown', null)]
    const failed = pictureOf({ way, step: 1, hasEnded: true, outcome: 'failed', deadline: null })
    expect(marksOf(failed)).toEqual(['✓', '✗', '–', '–', '–', '–'])
    expect(marksOf(pictureOf({ way, step: 1, hasEnded: true, outcome: 'completed' })).slice(0, 2)).toEqual(['✓', '✓'])
  })

  test('has the windows of the steps ahead, and that of the current step if its deadline is unknown', () => {
    const planned = [stepOf('one'), stepOf('two', 3 * 86_400_000), stepOf('three', null), stepOf('four', 3_605_000)]
    const line = (picture: FlowPicture) => [runDiagram(picture), runSvg(picture)]
    const picture = pictureOf({ step: 0, deadline: null }, planned)
    expect(picture.steps.map(({ window }) => window)).toEqual(['1h', '3d', null, '1h 5s'])
    const [mermaid, svg] = line(picture)
    expect(mermaid).toContain('  s0["<b>one</b><br/>Time passes in one.<br/>since 2026-11-21 10:00 UTC, window 1h"]')
    expect(mermaid).toContain('  s1["<b>two</b><br/>Time passes in two.<br/>3d"]')
    expect(mermaid).toContain('  s2["<b>three</b><br/>Time passes in three."]')
    expect(mermaid).toContain('  s3["<b>four</b><br/>Time passes in four.<br/>1h 5s"]')
    for (const text of ['since 2026-11-21 10:00 UTC, window 1h', '3d', '1h 5s'])
      expect(svg).toContain(`>${text}</text>`)
    const [without] = line(pictureOf({ step: 2, deadline: null }, planned))
    expect(without).toContain('<br/>since 2026-11-21 10:00 UTC, without an end"]')
  })

  test('is drawn by Mermaid with thick arrows for its way', () => {
    const mermaid = runDiagram(pictureOf({ way, step: 4 }))
    expect(mermaid).toContain('  start ==> s0\n  s0 ==>|"reached"| s1\n  s1 ==>|"timeout.goTo"| s4\n  s4 -.-> s5\n')
    expect(mermaid).toContain('<br/>since 2026-11-21 10:00 UTC, until 2026-11-21 11:00 UTC"]')
    expect(mermaid).toContain('  class s0,s1 done\n  class s4 current\n  class s2,s3 leftOut\n')
  })
})

describe('texts from declarations', () => {
  const wild = `<script>"&' # ]`
  const picture = pictureOf({ way: [left(0, 'reached', 1)], step: 1 }, [
    { ...stepOf('one'), summary: wild },
    { ...stepOf('two'), summary: wild },
  ])

  test('cannot leave a label of Mermaid', () => {
    for (const line of runDiagram(picture)
      .split('\n')
      .filter(line => line.startsWith('  s0[')))
      expect(line).toMatch(/^ {2}s0\["[^"]*"\]$/)
    expect(runDiagram(picture)).not.toContain('<script')
  })

  test('cannot become elements of SVG', () => {
    const svg = runSvg(picture)
    expect(svg).toContain('&lt;script&gt;&quot;&amp;')
    expect(svg).not.toContain('<script')
  })
})

test('SVG leaves out characters that XML cannot have', () => {
  const picture = pictureOf({
    plan: { flow: 'waiting', caseNo: 'A\u0008-\ufffe\ud8001', summary: 'Time passes.', steps },
  })
  expect(runSvg(picture)).toContain('<title>waiting, case A-1</title>')
})

describe('the longest flow', () => {
  const long = Array.from({ length: 200 }, (_, index) => ({
    ...stepOf(`s${index}${'n'.repeat(90)}`),
    summary: 'An item is handed over. '.repeat(8),
  }))
  const svg = runSvg(
    pictureOf({ way: long.slice(0, 120).map((_, index) => left(index, 'reached', index + 1)), step: 120 }, long),
  )
  const numbers = (pattern: RegExp) => [...svg.matchAll(pattern)].map(([, number]) => Number(number))

  test('has a row of its own for each step, without overlaps', () => {
    const tops = numbers(/<rect x="\d+" y="(\d+)"/g)
    expect(tops).toHaveLength(200)
    const heights = numbers(/<rect x="\d+" y="\d+" width="\d+" height="(\d+)"/g)
    for (const [index, top] of tops.slice(1).entries()) {
      expect(top - (tops[index] ?? 0)).toBeGreaterThan(heights[index] ?? 0)
    }
  })

  test('has no text that is longer than its box', () => {
    const texts = [...svg.matchAll(/<text [^>]*>(.*?)<\/text>/g)].map(([, text = '']) =>
      text.replaceAll(/<[^>]*>/g, ''),
    )
    // A character of the font has at most 7.2 of the 720 pixels of a box on average.
    for (const text of texts) expect(text.length).toBeLessThan(100)
  })

  test('is balanced XML', () => {
    const open: string[] = []
    for (const [, end, name = '', rest = ''] of svg.matchAll(/<(\/?)([a-z]\w*)([^>]*)>/gi)) {
      if (end === '/') expect(open.pop()).toBe(name)
      else if (!rest.endsWith('/')) open.push(name)
    }
    expect(open).toEqual([])
  })
})
