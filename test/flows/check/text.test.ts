import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Fault, readDocuments } from '#flows/check'
import { findFaults } from '../../../flows/check/check.ts'
import { root } from '../../project/sources.ts'
import { exampleFlows } from '../../support/cases/shipped.ts'
import { seeded } from '../../support/seed.ts'

/** LOCKERFLOW_TEST_RUNS asks for more. */
const runs = Number(process.env.LOCKERFLOW_TEST_RUNS ?? 10) * 20

const texts = [...exampleFlows, 'test/flows/check/repairShop.json'].map(file => readFileSync(join(root, file), 'utf8'))

/** The faults of a text, each of which has a place in it. */
function faultsOf(text: string): readonly Fault[] {
  const { faults } = findFaults(readDocuments(text, 'flow.yaml'))
  const count = text.split('\n').length
  for (const { file, line = 0, column = 0, message, code } of faults) {
    expect({ file, code, message, isLine: line >= 1 && line <= count, isColumn: column >= 1 }).toMatchObject({
      file: 'flow.yaml',
      message: expect.stringMatching(/: .*[.?]$/s),
      isLine: true,
      isColumn: true,
    })
  }
  return faults
}

describe('a fault has a line and a column, and nothing throws,', () => {
  test('in any text', () => {
    const unit = fc.constantFrom('binary' as const, 'grapheme' as const)
    const text = unit.chain(unit => fc.string({ unit, maxLength: 200 }))
    fc.assert(
      fc.property(text, each => void faultsOf(each)),
      seeded(runs),
    )
  })

  test('in any text of the marks of YAML', () => {
    const mark = fc.constantFrom(...'{}[]:,-?&*!|>\'"%@`#\n\t ~<=a1.', '\n  - ', ': ', '---\n', '...\n', '\r\n', '<<: ')
    const text = fc.array(mark, { maxLength: 60 }).map(marks => marks.join(''))
    fc.assert(
      fc.property(text, each => void faultsOf(each)),
      seeded(runs * 5),
    )
  })

  test('in declarations of which a part is missing, repeated or replaced', () => {
    const damage = fc.record({
      text: fc.constantFrom(...texts),
      from: fc.nat(10_000),
      length: fc.nat(40),
      inserted: fc.oneof(
        fc.constant(''),
        fc.string({ unit: 'binary', maxLength: 10 }),
        fc.constantFrom(...':-{[}]\n\'"'),
      ),
      isRepeated: fc.boolean(),
    })
    let faulty = 0
    fc.assert(
      fc.property(damage, ({ text, from, length, inserted, isRepeated }) => {
        const start = from % text.length
        const part = text.slice(start, start + length)
        const damaged = `${text.slice(0, start)}${isRepeated ? part + part : ''}${inserted}${text.slice(start + length)}`
        if (faultsOf(damaged).length > 0) faulty += 1
      }),
      seeded(runs),
    )
    expect(faulty).toBeGreaterThan(runs / 4)
  })

  test.each([
    ['lists', '['.repeat(5_000)],
    ['closed lists', `${'['.repeat(5_000)}${']'.repeat(5_000)}`],
    ['maps', '{a: '.repeat(5_000)],
    ['dashes', '- '.repeat(5_000)],
    ['51 levels', `with: ${'['.repeat(51)}${']'.repeat(51)}`],
  ])('in a text of deep %s', (_, text) => {
    const message = 'the declaration: must have at most 50 levels.'
    expect(faultsOf(text)).toMatchObject([{ code: 'YamlSyntax', message }])
  })

  test('in the longest allowed nesting', () => {
    const text = `${'['.repeat(50)}${']'.repeat(50)}`
    expect(faultsOf(text).map(({ code }) => code)).toEqual(['InvalidValue'])
  })

  test.each([
    ['a block', (keys: string[]) => `with:\n${keys.map(key => `  ${key}: 1\n`).join('')}`],
    ['braces', (keys: string[]) => `with: {${keys.map(key => `${key}: 1`).join(', ')}}`],
    ['unknown fields', (keys: string[]) => keys.map(key => `${key}: 1\n`).join('')],
  ])('in a map of 40,000 keys in %s, in linear time', { timeout: 120_000 }, (_, write) => {
    const keys = Array.from({ length: 40_000 }, (_, index) => `key${index}`)
    // The processor time of this thread, which other tests do not change. Comparing all keys takes 20 seconds of it.
    const before = process.threadCpuUsage()
    const { faults } = findFaults(readDocuments(write(keys), 'flow.yaml'))
    expect(faults.map(({ code }) => code)).toContain('UnknownField')
    const message = 'the declaration: must have each key once, but "key5" is there twice.'
    expect(faultsOf(write([...keys, 'key5']))).toMatchObject([{ code: 'YamlDuplicateKey', message }])
    expect(process.threadCpuUsage(before).user).toBeLessThan(8_000_000)
  })

  test.each(['1: a\n"1": b', '{ null: a, "": b }'])('in a map of two keys that JSON would not tell apart: %s', text => {
    expect(faultsOf(text).map(({ code }) => code)).toEqual(['YamlDuplicateKey'])
  })
})
