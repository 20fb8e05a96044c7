import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { flows as builtIn, type FlowDeclaration } from '#flows'
import { loadFlows, readDocuments } from '#flows/check'
import { checkForm } from '../../../flows/check/form/check.ts'
import { root } from '../../project/sources.ts'
import { exampleFlows } from '../../support/cases/shipped.ts'

/** Validates bodies by the published schema, as an editor validates files: with another validator than the project's own. */
let server: FastifyInstance

beforeAll(async () => {
  // The validator of Fastify has the rules of draft 7, which are the same for what the schema uses.
  const text = readFileSync(join(root, 'docs/reference/declaration.schema.json'), 'utf8')
  const { $schema, ...schema } = JSON.parse(text)
  expect($schema).toBe('https://json-schema.org/draft/2020-12/schema')
  const strictly = { removeAdditional: false, coerceTypes: false, useDefaults: false } as const
  server = fastify({ bodyLimit: 10_000_000, ajv: { customOptions: strictly } })
  server.post('/', { schema: { body: schema } }, async () => 'valid')
  await server.ready()
})

afterAll(() => server.close())

async function isValid(value: unknown): Promise<boolean> {
  const payload = JSON.stringify(value)
  const headers = { 'content-type': 'application/json' }
  const { statusCode } = await server.inject({ method: 'POST', url: '/', headers, payload })
  expect([200, 400]).toContain(statusCode)
  return statusCode === 200
}

describe('a declaration is valid', () => {
  test.each(Object.values<FlowDeclaration>(builtIn))('that is built in: $name', async flow => {
    expect(await isValid(flow)).toBe(true)
  })

  test.each([...exampleFlows, 'test/flows/check/right/*.yaml'])('of %s', async pattern => {
    const { flows, faults } = await loadFlows([pattern], { folder: root })
    expect(faults).toEqual([])
    for (const flow of Object.values(flows)) expect(await isValid(flow)).toBe(true)
  })
})

/** Faults of the form that the rules of JSON Schema cannot express. */
const beyondSchema = [
  'BadDuration-longWorkingTime.yaml',
  'BadName-inherited.yaml',
  'BadName-inheritedFlow.yaml',
  'BadName-reserved.yaml',
  'InvalidValue-merge.yaml',
  'InvalidValue-offset.yaml',
  'InvalidValue-surrogateQueue.yaml',
  'LimitExceeded-answers.yaml',
  'LimitExceeded-leaves.yaml',
  'LimitExceeded-summary.yaml',
  'UnknownField-besideFrom.yaml',
  'UnknownField-besideValue.yaml',
]

describe('a declaration with a fault of its form is invalid, and with any other fault valid', () => {
  const folder = join(root, 'test/flows/check/wrong')
  const values = readdirSync(folder).flatMap(file =>
    readDocuments(readFileSync(join(folder, file), 'utf8'), file)
      .filter(({ findings }) => findings.length === 0)
      .map(({ value }) => ({ file, value })),
  )
  const invalid = values.filter(({ value }) => !checkForm(value).ok)
  const valid = values.filter(({ value }) => checkForm(value).ok)

  test.each(invalid)('$file', async ({ file, value }) => {
    expect(await isValid(value)).toBe(beyondSchema.includes(file))
  })

  test.each(valid)('$file, whose form is valid', async ({ value }) => {
    expect(await isValid(value)).toBe(true)
  })

  test('there are files of both kinds', () => {
    expect(invalid.length).toBeGreaterThan(20)
    expect(valid.length).toBeGreaterThan(30)
  })
})
