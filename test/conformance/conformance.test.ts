import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Operation, type OperationName, operations } from '#contract'
import { root } from '../project/sources.ts'
import { conformancePage } from './page.ts'
import { parts, refusals } from './rules/index.ts'
import { readTitles, titlesOf } from './titles.ts'

/** How many rules no test holds in full. A number that grows is a gap that somebody has to explain. */
const openRules = 0
const openRefusals = 0

const titles = readTitles()
const rules = Object.values(parts).flat()
const held = Object.entries(refusals).flatMap(([operation, codes]) =>
  Object.entries(codes).map(([code, test]) => ({ operation, code, test })),
)
const isOpen = ({ test }: { test: string }) => test.startsWith('open: ')

describe.each(Object.entries(parts))('%s', (_, rows) => {
  test('names tests that are there', () => {
    expect(rows.flatMap(({ heldBy }) => heldBy).filter(named => !titles.has(named))).toEqual([])
  })

  test('has a test for every rule, or says why there is none', () => {
    expect(rows.filter(({ heldBy, open }) => heldBy.length === 0 && !open)).toEqual([])
  })
})

test('no rule is there twice', () => {
  const named = Object.values(parts).flatMap(rows => rows.map(({ section, rule }) => `${section}: ${rule}`))
  expect(named.filter((name, index) => named.indexOf(name) !== index)).toEqual([])
})

test(`${openRules} rules and ${openRefusals} refusals are open`, () => {
  const open = rules.filter(rule => rule.open !== undefined)
  for (const { section, rule, open: why } of open) console.info(`open: ${section}: ${rule} ${why}`)
  for (const { operation, code, test } of held.filter(isOpen)) console.info(`${operation}, ${code}: ${test}`)
  expect(open).toHaveLength(openRules)
  expect(held.filter(isOpen)).toHaveLength(openRefusals)
})

test('every row of docs/decisions.md has a rule', async () => {
  const sections = new Set(rules.map(({ section }) => section))
  const points = pointsOf(await readFile(join(root, 'docs/decisions.md'), 'utf8'))
  expect(points.length).toBeGreaterThan(0)
  expect(points.filter(point => !sections.has(point))).toEqual([])
})

test('every operation has a rule', () => {
  const text = JSON.stringify(rules)
  expect(Object.keys(operations).filter(name => !new RegExp(`\\b${name}\\b`).test(text))).toEqual([])
})

describe('every code of an operation', () => {
  test.each(Object.entries<Operation>(operations))('%s has a test', (name, { errors }) => {
    expect(Object.keys(refusals[name as OperationName]).toSorted()).toEqual([...errors].toSorted())
  })

  test('that is there', () => {
    expect(held.filter(one => !isOpen(one) && !titles.has(one.test))).toEqual([])
  })

  test('that asks for this code', () => {
    const strays = held.filter(one => !isOpen(one) && !textOf(one.test).includes(one.code))
    expect(strays).toEqual([])
  })
})

test('docs/conformance.md is what the tests say now; npm run docs writes it', async () => {
  expect(await readFile(join(root, 'docs/conformance.md'), 'utf8')).toBe(conformancePage())
})

describe('a title is found', () => {
  test.each([
    ['of a test', "test('a', () => {})", ['f > a']],
    ['of a test in a group', "describe('g', () => { test('a', () => {}) })", ['f > g', 'f > g > a']],
    ['of a table', "describe.each(rows)('%s', () => { test.for([1])('a $b', () => {}) })", ['f > %s', 'f > %s > a $b']],
    ['with options', "test('a', { timeout: 1 }, () => {})", ['f > a']],
    ['with something filled in', 'test(`a $' + '{b} c`, () => {})', ['f > a … c']],
  ])('%s', (_, text, found) => {
    expect(titlesOf(text, 'f')).toEqual(found)
  })

  test('but not of what only looks like one', () => {
    expect(
      titlesOf("// test('a', () => {})\nattest('b', () => {})\npattern.test('c')\ntest.skip('d', () => {})", 'f'),
    ).toEqual([])
  })
})

/** The rows of the tables `point, decision`, as `heading: point`. */
function pointsOf(page: string): string[] {
  return page.split(/^## /m).flatMap(part => {
    const heading = part.split('\n')[0]
    const rows =
      part
        .match(/^\| point \| decision \|\n(?:\|.*\n)+/m)?.[0]
        .split('\n')
        .slice(2) ?? []
    return rows.filter(row => row !== '').map(row => `${heading}: ${row.split('|')[1]?.trim()}`)
  })
}

/** The text of the file in which a test is. */
function textOf(test: string): string {
  return readFileSync(join(root, test.split(' > ')[0] ?? ''), 'utf8')
}
