import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { faultCodes, loadFlows } from '#declarations'
import { root } from '../project/sources.ts'

/**
 * Declarations with one fault each. The name of a file begins with the code, and its first line is the message.
 */
const folder = join(root, 'test/declarations/wrong')
const files = readdirSync(folder)

describe('a declaration in YAML has the one fault', () => {
  test.each(files)('of %s', async file => {
    const [first = ''] = readFileSync(join(folder, file), 'utf8').split('\n')
    const { flows, faults } = await loadFlows([file], { folder, taken: ['issue'] })
    const code = file.split(/[-.]/)[0]
    expect(faults.map(({ code, message }) => [code, message])).toEqual([[code, first.slice(2)]])
    expect(faults[0]).toMatchObject({ file, docs: `docs/reference/declaration-faults.md#${code?.toLowerCase()}` })
    if (!faults[0]?.warning) expect(flows).toEqual({})
  })
})

test('every code of YAML has such a declaration', () => {
  const codes = new Set(files.map(file => file.split(/[-.]/)[0]))
  /** NotJson is for modules. FileNotRead, UnregisteredActivity and NoCalendar depend on the caller, NoPoller on Temporal. */
  const others = ['NotJson', 'FileNotRead', 'UnregisteredActivity', 'NoCalendar', 'NoPoller']
  expect(Object.keys(faultCodes).filter(code => !codes.has(code) && !others.includes(code))).toEqual([])
})
