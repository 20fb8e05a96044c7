import { readFileSync } from 'node:fs'
import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadFlows } from '#flows/check'
import { root } from '../../project/sources.ts'

const wrong = join(root, 'test/flows/check/wrong')

/** The places of the faults of a module. */
async function placesOf(text: string): Promise<unknown[]> {
  await using temporary = await mkdtempDisposable(join(tmpdir(), 'lockerflow-flows-'))
  await writeFile(join(temporary.path, 'flows.ts'), text)
  const { faults } = await loadFlows(['flows.ts'], { folder: temporary.path })
  return faults.map(({ file, line, column, code }) => `${file}:${line}:${column} ${code}`)
}

test.each([
  ['BadDuration.json', '17:17'],
  ['UnknownRole.json', '24:19'],
])('a fault of %s has the same place in a module', async (file, place) => {
  const text = `export const wrong = ${readFileSync(join(wrong, file), 'utf8').trimEnd()} as const\n`
  expect(await placesOf(text)).toEqual([`flows.ts:${place} ${file.replace('.json', '')}`])
})

/** A flow whose last step is on line 9. */
const flowWith = (step: string, rest = '}') => `// steps: [{ name: 'wrong' }]
const booked = "{ it's booked }"
const define = <const Flow>(flow: Flow): Flow => flow
export const wrong = define({
  name: 'wrong',
  summary: \`An item \${booked}.\`,
  steps: [
    { name: 'booking', summary: 'A locker [is booked.', book: 'CreateLocalShipmentAsIssue' }, /* } */
    ${step}
  ],
${rest})
`
const wait =
  "{ name: 'dropOff', summary: 'It comes.', wait: { issue: 'ReadyForPickup' }, window: '2d', onTimeout: 'remind' },"

describe('a fault in TypeScript has the place', () => {
  test.each([
    ['of a value', wait.replace("'2d'", "'2 days'"), '9:89 BadDuration'],
    ['of the key of an object', wait.replace("{ issue: 'ReadyForPickup' }", '{}'), '9:46 InvalidValue'],
    ['of the object that lacks a field', wait.replace("summary: 'It comes.', ", ''), '9:5 MissingField'],
    [
      'of the part that code makes',
      `...[1].map(() => (${wait.slice(0, -1).replace("'2d'", "'2 days'")})),`,
      '7:3 BadDuration',
    ],
  ])('%s', async (_, step, place) => expect(await placesOf(flowWith(step))).toEqual([`flows.ts:${place}`]))

  test('of a value, if the name of the flow comes from elsewhere', async () => {
    const text = flowWith(wait.replace("'2d'", "'2 days'")).replace("name: 'wrong',", "...{ name: 'wrong' },")
    expect(await placesOf(text)).toEqual(['flows.ts:9:89 BadDuration'])
  })

  test('of the syntax, or of the line that throws', async () => {
    expect(await placesOf("export const wrong = {\n  name: 'wrong'\n  steps: [],\n}\n")).toEqual([
      'flows.ts:3:undefined FileNotRead',
    ])
    expect(await placesOf('\nexport const wrong = missing.steps\n')).toEqual(['flows.ts:2:undefined FileNotRead'])
  })
})
