import { table } from './markdown.ts'

/** The keywords of JSON Schema that the form uses. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly description?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly additionalProperties?: Schema | boolean
}

type Types = Readonly<Record<string, Schema>>

/** A table of the fields of an object. A field without a description of its own has that of its type. */
export function fieldsOf({ properties = {}, required = [] }: Schema = {}, types: Types = {}): string {
  return table(
    ['field', 'type', 'required', 'meaning'],
    Object.entries(properties).map(([name, schema]) => [
      `\`${name}\``,
      typeOf(schema),
      required.includes(name) ? 'yes' : '',
      schema.description ?? types[nameOf(schema)]?.description ?? '',
    ]),
  )
}

function nameOf({ $ref = '' }: Schema): string {
  return $ref.split('/').at(-1) ?? ''
}

/** The type of a schema as a short text. A type with a name has a section on the page. */
function typeOf(schema: Schema): string {
  const name = nameOf(schema)
  if (name === 'Json') return 'any JSON value'
  if (name !== '') return `[${name}](#${name.toLowerCase()})`
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``
  if (schema.enum !== undefined)
    return schema.enum.length > 8 ? 'one of the names below' : schema.enum.map(value => `\`${value}\``).join(', ')
  if (schema.anyOf !== undefined) return [...new Set(schema.anyOf.map(typeOf))].join(' or ')
  if (schema.type === 'array') return `list of ${typeOf(schema.items ?? {})}`
  if (typeof schema.additionalProperties === 'object') return `map to ${typeOf(schema.additionalProperties)}`
  if (schema.properties !== undefined) return `{ ${Object.keys(schema.properties).join(', ')} }`
  return schema.type === 'string' ? 'text' : (schema.type ?? 'any')
}
