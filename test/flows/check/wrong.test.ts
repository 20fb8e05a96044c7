import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { flows } from '#flows'
import { checkFlows, describeFault, faultCodes, loadFlows } from '#flows/check'
import { root } from '../../project/sources.ts'

/**
 * Declarations with one fault each. The name of a file begins with the code. The first line of a YAML file has the place of
 * the fault, line and column, and the message.
 */
const folder = join(root, 'test/flows/check/wrong')
const files = readdirSync(folder)

/** JSON has no comments. */
const inJson: Readonly<Record<string, string>> = {
  'BadDuration.json':
    '17:17 wrong.pickUp.window: must be a duration such as "30s", "30m", "48h" or "3d", at most "3650d", got "3 days".',
  'MissingField.json': '1:1 wrong.summary: must be given.',
  'UnknownRole.json': '24:19 wrong.pickUp.wait.intake: must be one of the roles booked before: issue.',
  'YamlDuplicateKey.json': '4:3 the declaration: must have each key once, but "name" is there twice.',
  'YamlSyntax.json':
    '6:3 the declaration: must be YAML 1.2 or JSON: Flow map in block collection must be sufficiently indented and end with a }.',
}

function expectedOf(file: string): { readonly place: string; readonly message: string } {
  const [first = ''] = readFileSync(join(folder, file), 'utf8').split('\n')
  const [, place = '', message = ''] = /^(\d+:\d+) (.*)$/.exec(inJson[file] ?? first.slice(2)) ?? []
  return { place, message }
}

test('a fault shows the beginning of a long value only', () => {
  const long = 'x'.repeat(100_000)
  const step = { ...flows.stock.steps[0], [long]: 1 }
  const faults = checkFlows([
    { ...flows.stock, name: long, [long]: long, steps: [step, { name: 'a', book: long }, { name: 'b', goTo: long }] },
  ] as never)
  expect(faults.length).toBeGreaterThan(3)
  for (const fault of faults) expect(describeFault(fault).length).toBeLessThan(700)
})

describe('a declaration in a file has the one fault', () => {
  test.each(files)('of %s', async file => {
    const { place, message } = expectedOf(file)
    const { flows, faults } = await loadFlows([file], { folder, taken: ['issue'] })
    const code = file.split(/[-.]/)[0]
    expect(faults.map(({ code, message }) => [code, message])).toEqual([[code, message]])
    expect(faults.map(({ line, column }) => `${line}:${column}`)).toEqual([place])
    expect(faults[0]).toMatchObject({ file, docs: `docs/reference/declaration-faults.md#${code?.toLowerCase()}` })
    expect(faults.map(describeFault).join()).toContain(`${file}:${place}: `)
    if (!faults[0]?.warning) expect(flows).toEqual({})
  })
})

test('every code of files has such a declaration', () => {
  const codes = new Set(files.map(file => file.split(/[-.]/)[0]))
  /** NotJson is for modules. FileNotRead, UnregisteredActivity and NoCalendar depend on the caller, NoPoller on Temporal. */
  const others = ['NotJson', 'FileNotRead', 'UnregisteredActivity', 'NoCalendar', 'NoPoller']
  expect(Object.keys(faultCodes).filter(code => !codes.has(code) && !others.includes(code))).toEqual([])
})

test('no flow has the name of a workflow of the bundle that is not a flow', () => {
  const [, exported = ''] = /^export \{([^}]*)\}$/m.exec(readFileSync(join(root, 'workflows/index.ts'), 'utf8')) ?? []
  const names = exported.split(',').flatMap(name => (name.includes(' as ') ? [] : name.trim() || []))
  expect(names).toContain('sweep')
  const taken = (name: string) => checkFlows([{ ...flows.issue, name }]).map(({ code }) => code)
  expect(names.map(taken)).toEqual(names.map(() => ['NameTaken']))
})

test('the faults of several flows and files are reported at once, each in its place', async () => {
  const all = ['UnknownRole-wait.yaml', 'YamlSyntax-tag.yaml', 'LeavesBooking-atTheEnd.yaml', 'BadDuration.json']
  const { faults, flows } = await loadFlows(all, { folder })
  const [role, syntax, booking, duration] = all.map(file => [file, expectedOf(file).place, file.split(/[-.]/)[0]])
  // Two of the flows have one name.
  const name = ['LeavesBooking-atTheEnd.yaml', '2:7', 'NameTaken']
  expect(faults.map(({ file, line, column, code }) => [file, `${line}:${column}`, code])).toEqual([
    ...[role, syntax, name, booking, duration],
  ])
  const text = 'must be unique, but another flow is "wrong", in UnknownRole-wait.yaml.'
  expect(faults.find(({ code }) => code === 'NameTaken')?.message).toContain(text)
  expect(flows).toEqual({})
})
