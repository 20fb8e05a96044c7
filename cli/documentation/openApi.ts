import { readFileSync } from 'node:fs'
import { defaultUidSignatureScheme, hardwareDocument, type OperationName, openApiDocument, operations } from '#contract'

/** The parts of the OpenAPI document that pages are made from. */
export interface OpenApi {
  readonly paths: Readonly<Record<string, PathItem>>
  readonly webhooks: Readonly<Record<string, PathItem>>
  readonly components: { readonly schemas?: Readonly<Record<string, JsonSchema>> }
}

interface PathItem {
  readonly post?: DocumentedRequest
}

interface DocumentedRequest {
  readonly parameters?: readonly { readonly name?: string; readonly description?: string }[]
  readonly requestBody: { readonly content: Readonly<Record<string, Content>> }
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Content>> }>>
}

interface Content {
  readonly schema: JsonSchema
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>
}

/** The keywords of JSON Schema that the document uses. */
export interface JsonSchema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly title?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly format?: string
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly items?: JsonSchema
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
}

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))

const document = openApiDocument({
  names: Object.keys(operations) as OperationName[],
  baseUrl: 'http://127.0.0.1:8080',
  version,
  uidSignatureScheme: defaultUidSignatureScheme,
})

/** docs/reference/openapi.json: the document of a staging service with every operation. */
export function openApiFile(): string {
  return `${JSON.stringify(document, null, 2)}\n`
}

/** docs/reference/hardware-openapi.json: the protocol of adapters of locker hardware. */
export function hardwareOpenApiFile(): string {
  return `${JSON.stringify(hardwareDocument(version), null, 2)}\n`
}

/** Returns the document of every operation with its schemas inlined, from which other pages are made. */
export function readOpenApi(): OpenApi {
  return inlined(document) as OpenApi
}

function inlined(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inlined)
  if (value === null || typeof value !== 'object') return value
  const { $ref } = value as { readonly $ref?: string }
  const [, name] = /^#\/components\/schemas\/(.+)$/.exec($ref ?? '') ?? []
  const { schemas } = document.components as { readonly schemas: Readonly<Record<string, unknown>> }
  if (name !== undefined) return inlined(schemas[name])
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, inlined(member)]))
}

/** The schema itself, or the one in the components that it refers to. */
export function resolve(schema: JsonSchema): JsonSchema {
  if (schema.$ref === undefined) return schema
  const target = readOpenApi().components.schemas?.[schema.$ref.split('/').at(-1) ?? '']
  if (target === undefined) throw new Error(`the OpenAPI document has no ${schema.$ref}`)
  return resolve(target)
}

/** A schema in a few words, for instance `string or null`. */
export function typeName(schema: JsonSchema = {}): string {
  if (schema.$ref !== undefined) return typeName(resolve(schema))
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  // An optional text may be empty.
  const values = schema.enum?.filter(value => value !== '')
  if (values !== undefined) return values.map(value => JSON.stringify(value)).join(', ')
  const variants = schema.anyOf ?? schema.oneOf
  if (variants !== undefined) return [...new Set(variants.map(typeName))].join(' or ')
  if (schema.type === 'array') return `list of ${typeName(schema.items)}`
  return [schema.type ?? 'any'].flat().join(' or ')
}

/** The fields of an object, including one inside a list and one that may be null; nothing for other schemas. */
export function toProperties(given: JsonSchema = {}): JsonSchema {
  const schema = resolve(given)
  if (schema.properties !== undefined) return schema
  const inner = [schema.items, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].find(
    part => part !== undefined && toProperties(part).properties !== undefined,
  )
  return inner === undefined ? {} : toProperties(inner)
}
