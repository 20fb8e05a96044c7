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

/** A table of the fields of an object. */
export function fieldsOf({ properties = {}, required = [] }: Schema = {}): string {
  return table(
    ['field', 'type', 'required', 'meaning'],
    Object.entries(properties).map(([name, schema]) => [
      `\`${name}\``,
      typeOf(schema),
      required.includes(name) ? 'yes' : '',
      schema.description ?? '',
    ]),
  )
}

/** A schema in a few words. */
function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1) ?? ''
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``
  if (schema.enum !== undefined)
    return schema.enum.length > 8 ? 'one of the names below' : schema.enum.map(value => `\`${value}\``).join(', ')
  if (schema.anyOf !== undefined) return [...new Set(schema.anyOf.map(typeOf))].join(' or ')
  if (schema.type === 'array') return `list of ${typeOf(schema.items ?? {})}`
  if (typeof schema.additionalProperties === 'object') return `map to ${typeOf(schema.additionalProperties)}`
  if (schema.properties !== undefined) return `{ ${Object.keys(schema.properties).join(', ')} }`
  return schema.type === 'string' ? 'text' : (schema.type ?? 'any')
}
