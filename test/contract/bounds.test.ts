import { expect, test } from 'vitest'
import { z } from 'zod'
import { type Operation, operations, readRequest } from '#contract'
import { stateCodes } from '#contract/terms'
import { bodyOf, placesIn, put } from '../support/service/validRequest.ts'

/** Levels of objects and lists in a body that the operations know. */
const deepest = 3

test.each(Object.values<Operation>(operations).map(({ name, request }) => ({ name, request })))(
  'every list in a request of $name has a largest number of members, and no field is deep',
  ({ request }) => {
    const lists = [...schemasIn(z.toJSONSchema(request, { io: 'input' }))].filter(({ type }) => type === 'array')
    expect(lists.filter(({ maxItems }) => maxItems === undefined)).toEqual([])
    for (const place of placesIn({ request })) expect(place.length).toBeLessThanOrEqual(deepest)
  },
)

test('lists exist, or the rule above would cover nothing', () => {
  const all = Object.values<Operation>(operations).flatMap(({ request }) => [
    ...schemasIn(z.toJSONSchema(request, { io: 'input' })),
  ])
  expect(all.filter(({ type }) => type === 'array').length).toBeGreaterThan(0)
})

test('a list that is too long is one problem, and its members are not checked', () => {
  const read = (shipmentState: unknown) => readRequest(operations.GetShipments, { shipmentState })
  expect(read(stateCodes)).toMatchObject({ ok: true })
  expect(read(Array(125_000).fill(1))).toEqual({
    ok: false,
    error: 'InvalidRequest',
    message: `shipmentState: must have at most ${stateCodes.length} members.`,
  })
})

test('a key in a thousand casings is one problem', () => {
  const read = readRequest(operations.CancelShipment, casings('shipmentUid', 1_000))
  expect(read).toMatchObject({ ok: false, message: 'shipmentUid is given twice, in different casing.' })
})

/** As long as a body may be: blanks before, between and after words, and one character that ends a match. */
const long = 250_000
const hostileTexts = [
  ...[' ', 'a', '0', '.', '-', '_', 'a ', ' a', 'a.', 'a-', '0-', '+0'].map(part => part.repeat(long / part.length)),
  `${' '.repeat(long)}a b c d e f g h i`,
  ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'].join(' '.repeat(long / 10)),
  `a b c d e f g h ${'i'.repeat(long)} j`,
].flatMap(text => [text, `${text}\0`, `a@${text}`])

test.each(Object.values<Operation>(operations))('$name: a text of any length is checked in linear time', operation => {
  const body = bodyOf(operation)
  for (const place of placesIn(operation)) {
    for (const text of hostileTexts) {
      const { user } = process.threadCpuUsage()
      readRequest(operation, put(body, place, text))
      // A pattern that backtracks takes many seconds, in which no tenant gets a response.
      expect(process.threadCpuUsage().user - user, `${place}: ${text.slice(0, 20)}`).toBeLessThan(500_000)
    }
  }
})

/** The key with the letters in upper case that the bits of the number select. */
function spelling(key: string, bits: number): string {
  return [...key].map((letter, at) => ((bits >> at) & 1 ? letter.toUpperCase() : letter.toLowerCase())).join('')
}

function casings(key: string, count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, bits) => [spelling(key, bits), 'x']))
}

function* schemasIn(schema: unknown): Generator<Record<string, unknown>> {
  if (schema === null || typeof schema !== 'object') return
  if (!Array.isArray(schema)) yield schema as Record<string, unknown>
  for (const member of Object.values(schema)) yield* schemasIn(member)
}
