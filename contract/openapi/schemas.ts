import { z } from 'zod'
import { joinEmptyTexts } from './emptyTexts.ts'

/** A JSON object of the document. */
export type Json = Record<string, unknown>

/** A body of type application/json. */
export function jsonContent(schema: Json, examples: Json = {}): Json {
  return { 'application/json': { schema, ...(Object.keys(examples).length > 0 && { examples }) } }
}

/** A reference to a component of the document. */
export function referenceTo(kind: 'responses' | 'headers' | 'parameters', name: string): Json {
  return { $ref: `#/components/${kind}/${name}` }
}

/**
 * Converts a schema to JSON Schema as OpenAPI 3.1 uses it. Schemas with an id in zod's registry become `$defs`.
 * @param io `input` for requests, `output` for responses
 */
export function toJsonSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...converted } = z.toJSONSchema(schema, {
    io,
    override: ({ jsonSchema }) => adjustForOpenApi(jsonSchema, io),
  })
  return converted
}

/** A reference to a schema that `hoistSchemas` moves to the components. */
export function namedSchema(name: string, schema: Json): Json {
  return { $ref: `#/$defs/${name}`, $defs: { [name]: schema } }
}

/**
 * Moves all `$defs` of a document to `components.schemas`, so that generated clients have named types.
 * @throws Error if two different schemas have the same name
 */
export function hoistSchemas({ components, ...document }: Json): Json {
  const schemas: Json = {}
  const hoisted = joinEmptyTexts(hoist({ ...document, components }, schemas)) as { readonly components: Json }
  const sorted = Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1))
  return { ...hoisted, components: { ...hoisted.components, schemas: Object.fromEntries(sorted) } }
}

function hoist(value: unknown, schemas: Json): unknown {
  if (Array.isArray(value)) return value.map(member => hoist(member, schemas))
  if (value === null || typeof value !== 'object') return value
  const { $defs = {}, ...members } = value as Json
  for (const [name, definition] of Object.entries($defs as Json)) {
    // zod adds the id of a registered schema to its definition; it means something else in JSON Schema.
    const { id: _, ...schema } = joinEmptyTexts(hoist(definition, schemas)) as Json
    const isTaken = name in schemas && JSON.stringify(schemas[name]) !== JSON.stringify(schema)
    if (isTaken) throw new Error(`two schemas are named ${name}`)
    schemas[name] = schema
  }
  const entries = Object.entries(members).map(([key, member]) => [
    key,
    key === '$ref' ? String(member).replace('#/$defs/', '#/components/schemas/') : hoist(member, schemas),
  ])
  return Object.fromEntries(entries)
}

interface Converted {
  type?: unknown
  readonly const?: unknown
  minimum?: number
  maximum?: number
  pattern?: string
  /** The patterns of a text that has several. */
  readonly allOf?: readonly { pattern?: string }[]
}

function adjustForOpenApi(schema: Converted, io: 'input' | 'output'): void {
  // JavaScript's integer limits inform the sender of a request, but say nothing about a response.
  if (io === 'output' && schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (io === 'output' && schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  // A type that is only null is a class that OpenAPI Generator does not write. `const` excludes every text.
  if (schema.type === 'null' && schema.const === null) schema.type = ['string', 'null']
  for (const declared of [schema, ...(schema.allOf ?? [])])
    if (declared.pattern !== undefined) declared.pattern = toCommonPattern(declared.pattern)
}

/**
 * Other languages' regular expressions have no \0, and no lone surrogates, which a text in UTF-8 cannot contain.
 * Go's library for OpenAPI reads \u with upper-case digits only.
 */
function toCommonPattern(pattern: string): string {
  return pattern
    .replaceAll('\\0', '\\u0000')
    .replaceAll('\\ud800-\\udfff', '')
    .replaceAll(/(?<=\\u)[0-9a-f]{4}/g, digits => digits.toUpperCase())
}
