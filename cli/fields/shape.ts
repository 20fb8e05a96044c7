import type { Field, Fields } from '#flows/declaration'

/** The values that a field accepts, in the detail that a command line needs. */
export interface Shape {
  readonly kinds: readonly ('text' | 'number' | 'boolean' | 'list' | 'object' | 'null')[]
  /** The only texts, for completion. */
  readonly texts?: readonly string[]
  readonly fields?: Readonly<Record<string, Shape>>
  readonly element?: Shape
}

/** The part of JSON Schema that requests use. */
interface Schema {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly $ref?: string
  readonly $defs?: Readonly<Record<string, Schema>>
}

const kindsOfTypes: Readonly<Record<string, Shape['kinds'][number]>> = {
  string: 'text',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  array: 'list',
  object: 'object',
  null: 'null',
}

/** A field without a declaration: any JSON, or a text. */
export const anyShape: Shape = { kinds: [] }

/** The shape of a JSON Schema. A variant of several adds its kinds and fields. */
export function shapeOfSchema(schema: object): Shape {
  const { $defs = {} } = schema as Schema
  return toShape(schema as Schema, $defs)
}

function toShape(schema: Schema, definitions: Readonly<Record<string, Schema>>): Shape {
  const { $ref, properties, items } = schema
  if ($ref !== undefined) return toShape(definitions[$ref.split('/').at(-1) ?? ''] ?? {}, definitions)
  const variants = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])]
  const shapes = variants.map(each => toShape(each, definitions))
  const own = schema.type === undefined ? undefined : kindsOfTypes[schema.type]
  const kinds = [...new Set([...(own ? [own] : []), ...shapes.flatMap(each => each.kinds)])]
  const texts = (schema.enum ?? []).filter(each => typeof each === 'string')
  const below = Object.entries(properties ?? {}).map(([name, each]) => [name, toShape(each, definitions)] as const)
  const fields = Object.fromEntries([...shapes.flatMap(each => Object.entries(each.fields ?? {})), ...below])
  const element = items === undefined ? shapes.find(each => each.element)?.element : toShape(items, definitions)
  const allTexts = [...texts, ...shapes.flatMap(each => each.texts ?? [])]
  return {
    kinds,
    ...(allTexts.length > 0 && { texts: allTexts }),
    ...(Object.keys(fields).length > 0 && { fields }),
    ...(element && { element }),
  }
}

/** The shape of the declared fields of a team's flow. */
export function shapeOfFields(fields: Fields): Shape {
  const below = Object.entries(fields).map(([name, field]) => [name, shapeOfField(field)] as const)
  return { kinds: ['object'], fields: Object.fromEntries(below) }
}

function shapeOfField(field: Field): Shape {
  if (typeof field === 'string') {
    if (field === 'number' || field === 'integer') return { kinds: ['number'] }
    return { kinds: [field === 'boolean' ? 'boolean' : 'text'] }
  }
  if (Array.isArray(field)) return { kinds: ['text'], texts: field as readonly string[] }
  if ('optional' in field) {
    const shape = shapeOfField(field.optional)
    return { ...shape, kinds: [...shape.kinds, 'null'] }
  }
  if ('list' in field) return { kinds: ['list'], element: shapeOfField(field.list) }
  return 'fields' in field ? shapeOfFields(field.fields) : anyShape
}

/** The paths of all fields, for completion: those of objects with a dot. */
export function pathsOf(shape: Shape): string[] {
  return Object.entries(shape.fields ?? {}).flatMap(([name, below]) => {
    const paths = pathsOf(below).map(path => `${name}.${path}`)
    return paths.length > 0 ? paths : [name]
  })
}
