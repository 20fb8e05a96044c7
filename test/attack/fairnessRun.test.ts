import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { MeasuredRow, RowName } from './heavy/row.ts'
import { measureFairness } from './heavy/run.ts'
import { verdictOf } from './heavy/verdict.ts'

const phase = (p99: number) => ({ p50: 1, p99, waited: 0 })

function rowOf(name: RowName, before: number, beside: number, after = before, rate = 10): MeasuredRow {
  return { ...name, rate, processor: 0.1, before: phase(before), beside: phase(beside), after: phase(after) }
}

const name = { site: 'embedded', load: 'any', seconds: 60 } as const
const usual = [rowOf(name, 10, 10), rowOf(name, 10, 10), rowOf(name, 10, 10)]

test.each([
  { verdict: 'held', row: rowOf(name, 10, 29.9) },
  { verdict: 'beyond', row: rowOf(name, 10, 30) },
  // A disturbance of one quiet phase does not widen the bar.
  { verdict: 'beyond', row: rowOf(name, 400, 30, 10) },
  { verdict: 'beyond', row: rowOf(name, 10, 30, 400) },
  { verdict: 'disturbed', row: rowOf(name, 20.1, 40) },
  { verdict: 'idle', row: rowOf(name, 10, 10, 10, 0) },
  { verdict: 'failed', row: { ...name, error: 'Error: refused' } },
])('a row is $verdict', ({ verdict, row }) => {
  expect(verdictOf(row, [...usual, row])).toBe(verdict)
})

test('the quiet phases of another site say nothing about a row', () => {
  const slow = rowOf({ ...name, site: 'postgres' }, 30, 40)
  expect(verdictOf(slow, [...usual, slow])).toBe('held')
})

test('a run goes on after a row that fails, and a further one measures only what does not hold yet', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lockerflow-fairness-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const record = join(folder, 'rows')
  const measured: string[] = []
  const printed: string[] = []
  const options = { only: 'lists|secrets|bodies', record, seconds: 60, print: (text: string) => printed.push(text) }
  const run = (secrets: () => Promise<MeasuredRow>, bodies: number) =>
    measureFairness({
      ...options,
      async measure(row) {
        measured.push(`${row.site}, ${row.load}`)
        if (row.load.startsWith('wrong secrets')) return secrets()
        return rowOf(row, 10, row.load.startsWith('bodies') ? bodies : 20)
      },
    })

  expect(await run(() => Promise.reject(new Error('refused')), 30)).toBe(false)
  expect(measured).toHaveLength(6)
  expect(printed.at(-2)).toMatch(/held +2\.0 .*embedded, lists/)
  expect(printed.at(-2)).toMatch(/failed .*Error: refused +embedded, wrong secrets/)
  expect(printed.at(-2)).toMatch(/beyond +3\.0 .*postgres, bodies/)

  measured.length = 0
  expect(await run(async () => rowOf({ ...name, load: 'wrong secrets' }, 10, 20), 20)).toBe(true)
  expect(measured.map(row => row.split(' ')[1])).toEqual(['wrong', 'bodies', 'wrong', 'bodies'])
  expect((await readFile(record, 'utf8')).trim().split('\n')).toHaveLength(10)
  expect(printed.at(-1)).toMatch(/^6 rows, 60 s each, in \d+ s$/)
})

test('a pattern that matches no row is an error', async () => {
  await expect(measureFairness({ only: 'nothing', seconds: 1 })).rejects.toThrow('--only nothing matches no row')
})
