import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root } from '../../project/sources.ts'

// Rules that OpenAPI Generator needs. Its clients are not generated here.

type Json = Readonly<Record<string, unknown>>

interface Response {
  readonly links?: object
  readonly content?: Readonly<Record<string, { readonly schema: Json }>>
}

interface Operation {
  readonly operationId: string
  readonly tags?: readonly string[]
  readonly responses: Readonly<Record<string, Response>>
  readonly requestBody?: Response
}

interface Document {
  readonly paths: Items
  readonly webhooks?: Items
  readonly tags: readonly { readonly name: string }[]
}

type Items = Readonly<Record<string, Readonly<Record<string, Operation>>>>

describe.each(['openapi.json', 'flows-openapi.json', 'hardware-openapi.json'])('%s', file => {
  const text = readFileSync(join(root, 'docs/reference', file), 'utf8')
  const { paths, webhooks = {}, tags: declared } = JSON.parse(text) as Document
  const called = operationsIn(paths)
  const sent = operationsIn(webhooks)

  test('has no field whose only type is null, of which a client in Java does not compile', () => {
    const fields = valuesIn(JSON.parse(text)).flatMap(({ properties }) => Object.entries(Object(properties)))
    expect(fields.filter(([, schema]) => Object(schema).type === 'null').map(([name]) => name)).toEqual([])
  })

  test('has no constant without a type, which a client in Java reads as any value', () => {
    const constants = valuesIn(JSON.parse(text)).filter(value => 'const' in value && !('type' in value))
    expect(constants).toEqual([])
  })

  test('has no link with a requestBody, of which the validation of OpenAPI Generator accepts only a text', () => {
    const links = called.flatMap(({ responses }) => Object.values(responses).flatMap(({ links }) => valuesIn(links)))
    expect(links.filter(link => 'requestBody' in link)).toEqual([])
  })

  test('has one schema for all successes of an operation, of which clients in Java read a single one', () => {
    const successes = called.map(({ operationId, responses }) => ({
      operationId,
      schemas: Object.entries(responses)
        .filter(([status]) => Number(status) < 300)
        .flatMap(([, { content = {} }]) => Object.values(content).map(({ schema }) => JSON.stringify(schema))),
    }))
    expect(successes.filter(({ schemas }) => new Set(schemas).size > 1)).toEqual([])
  })

  test('names the objects of bodies, whose classes would otherwise be named after their status', () => {
    const bodies = called.flatMap(({ operationId, requestBody = {}, responses }) =>
      [requestBody, ...Object.values(responses)].flatMap(({ content = {} }) =>
        Object.entries(content).map(([type, { schema }]) => ({
          operationId,
          type,
          isNamed: !('properties' in schema),
        })),
      ),
    )
    // An upload is a form with a file. A failure of a token request has other codes at each status.
    const isException = ({ operationId, type }: { readonly operationId: string; readonly type: string }) =>
      type === 'multipart/form-data' || ['GetToken', 'Introspect'].includes(operationId)
    expect(bodies.filter(body => !body.isNamed && !isException(body))).toEqual([])
  })

  test('puts each operation into a group that it describes', () => {
    const groups = new Set(declared.map(({ name }) => name))
    const groupsOf = ({ tags = [] }: Operation) => tags
    expect(called.filter(operation => groupsOf(operation).length !== 1)).toEqual([])
    expect(new Set([...called, ...sent].flatMap(groupsOf))).toEqual(groups)
  })

  test('has a group for webhooks, whose file would otherwise replace that of the paths', () => {
    const groupsOf = ({ tags = ['Default'] }: Operation) => tags
    const groups = new Set(called.flatMap(groupsOf))
    expect(sent.flatMap(groupsOf).filter(tag => tag === 'Default' || groups.has(tag))).toEqual([])
  })
})

function operationsIn(items: Items): readonly Operation[] {
  return Object.values(items).flatMap(item => Object.values(item))
}

/** All objects in a value, itself included. */
function valuesIn(value: unknown): readonly Json[] {
  if (value === null || typeof value !== 'object') return []
  const inner = Object.values(value).flatMap(valuesIn)
  return Array.isArray(value) ? inner : [value as Json, ...inner]
}
