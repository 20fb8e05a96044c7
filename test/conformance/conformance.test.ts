import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Operation, type OperationName, operations } from '#contract'
import { root } from '../project/sources.ts'
import { readDecisions } from '../support/project/decisions.ts'
import { conformancePage } from './page.ts'
import { parts, refusals } from './rules/index.ts'
import { readTitles, titlesOf } from './titles.ts'

/** Number of rules without complete tests. If it grows, the commit must explain the gap. */
const openRules = 0
const openRefusals = 0

const titles = readTitles()
const rules = Object.values(parts).flat()
const held = Object.entries(refusals).flatMap(([operation, codes]) =>
  Object.entries(codes).map(([code, test]) => ({ operation, code, test })),
)
const isOpen = ({ test }: { test: string }) => test.startsWith('open: ')

describe.each(Object.entries(parts))('%s', (_, rows) => {
  test('names tests that exist', () => {
    expect(rows.flatMap(({ heldBy }) => heldBy).filter(named => !titles.has(named))).toEqual([])
  })

  test('has a test for every rule, or a reason why it cannot be tested', () => {
    expect(rows.filter(({ heldBy, open }) => heldBy.length === 0 && !open)).toEqual([])
  })
})

test('no rule is listed twice', () => {
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

test('every decision has a rule, and every rule of a decision its id and title', () => {
  const written = readDecisions().map(({ id, title }) => `${id} ${title}`)
  const sections = new Set(parts.Decisions?.map(({ section }) => section))
  expect(written.filter(decision => !sections.has(decision))).toEqual([])
  expect([...sections].filter(section => !written.includes(section))).toEqual([])
})

test('every operation has a rule', () => {
  const text = JSON.stringify(rules)
  expect(Object.keys(operations).filter(name => !new RegExp(`\\b${name}\\b`).test(text))).toEqual([])
})

describe('every code of an operation', () => {
  test.each(Object.entries<Operation>(operations))('%s has a test', (name, { errors }) => {
    expect(Object.keys(refusals[name as OperationName]).toSorted()).toEqual([...errors].toSorted())
  })

  test('that exists', () => {
    expect(held.filter(one => !isOpen(one) && !titles.has(one.test))).toEqual([])
  })

  test('that expects this code', () => {
    const strays = held.filter(one => !isOpen(one) && !textOf(one.test).includes(one.code))
    expect(strays).toEqual([])
  })
})

test('docs/reference/conformance.md matches the rules; npm run docs writes it', async () => {
  expect(await readFile(join(root, 'docs/reference/conformance.md'), 'utf8')).toBe(conformancePage())
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

  test('but not in similar text', () => {
    expect(
      titlesOf("// test('a', () => {})\nattest('b', () => {})\npattern.test('c')\ntest.skip('d', () => {})", 'f'),
    ).toEqual([])
  })
})

/** The text of the file of a test. */
function textOf(test: string): string {
  return readFileSync(join(root, test.split(' > ')[0] ?? ''), 'utf8')
}
