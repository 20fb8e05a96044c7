import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { loadCases } from '#testing/cases'
import { root } from '../../project/sources.ts'
import { shippedCases } from '../../support/cases/shipped.ts'

/** Validates bodies by the published schema, as an editor validates files: with another validator than the project's own. */
let server: FastifyInstance

beforeAll(async () => {
  // The validator of Fastify has the rules of draft 7, which are the same for what the schema uses.
  const { $schema, ...schema } = JSON.parse(await readFile(join(root, 'docs/reference/cases.schema.json'), 'utf8'))
  expect($schema).toBe('https://json-schema.org/draft/2020-12/schema')
  const strictly = { removeAdditional: false, coerceTypes: false, useDefaults: false } as const
  server = fastify({ ajv: { customOptions: strictly } })
  server.post('/', { schema: { body: schema } }, async () => 'valid')
  await server.ready()
})

afterAll(() => server.close())

async function isValid(value: unknown): Promise<boolean> {
  const payload = JSON.stringify(value)
  const headers = { 'content-type': 'application/json' }
  return (await server.inject({ method: 'POST', url: '/', headers, payload })).statusCode === 200
}

test('every shipped file of cases is valid', async () => {
  const { cases } = await loadCases(shippedCases, { folder: root })
  const files = new Set(cases.map(({ file }) => file))
  expect(files.size).toBeGreaterThan(10)
  for (const file of files)
    expect([file, await isValid(parse(await readFile(join(root, file), 'utf8')))]).toEqual([file, true])
})

describe('a file is invalid', () => {
  const whole = { case: 'c', flow: 'issue', request: {}, story: [{ fail: { call: 'GetAccount', code: 'A' } }] }

  test('only for its fault', async () => {
    expect(await isValid(whole)).toBe(true)
    expect(await isValid([whole])).toBe(true)
  })

  const { story: _, ...untold } = whole
  test.each<[string, unknown]>([
    ['without a case', []],
    ['that is a text', 'case'],
    ['without a story', untold],
    ['with an unknown field', { ...whole, storys: [] }],
    ['with an unknown word', { ...whole, story: [{ dropof: 'issue' }] }],
    ['with a word without its value', { ...whole, story: ['dropOff'] }],
    ['with two words in one', { ...whole, story: [{ dropOff: 'issue', pickUp: 'issue' }] }],
    ['with a wrong duration', { ...whole, story: [{ after: '2 days' }] }],
    ['with an unknown outcome', { ...whole, ends: { outcome: 'done' } }],
    ['with a refusal and a fault', { ...whole, story: [{ fail: { call: 'x', code: 'A', fault: 'unavailable' } }] }],
    ['with two works that fail', { ...whole, story: [{ fail: { call: 'x', run: 'y', code: 'A' } }] }],
    ['with an invalid name of a flow', { ...whole, flow: 'Issue 1' }],
  ])('%s', async (_, value) => {
    expect(await isValid(value)).toBe(false)
  })
})
