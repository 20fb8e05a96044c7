import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root } from '../../project/sources.ts'

// Rules that OpenAPI Generator needs. Its clients are not generated here.

type Json = Readonly<Record<string, unknown>>

interface Operation {
  readonly operationId: string
  readonly tags?: readonly string[]
  readonly responses: Readonly<Record<string, { readonly links?: object }>>
}

type Items = Readonly<Record<string, Readonly<Record<string, Operation>>>>

describe.each(['openapi.json', 'flows-openapi.json', 'hardware-openapi.json'])('%s', file => {
  const text = readFileSync(join(root, 'docs/reference', file), 'utf8')
  const { paths, webhooks = {} } = JSON.parse(text) as { readonly paths: Items; readonly webhooks?: Items }
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
