import { z } from 'zod'
import { operations } from '#contract'

type SchemaType = 'string' | 'number' | 'integer' | 'boolean' | 'null' | 'array' | 'object'

/** The part of JSON Schema that zod writes for the operations. */
interface Schema {
  readonly $ref?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly type?: SchemaType | readonly SchemaType[]
  readonly anyOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly $defs?: Readonly<Record<string, Schema>>
}

const primitives = { string: 'string', number: 'number', integer: 'number', boolean: 'boolean', null: 'null' } as const

/**
 * Writes requests and responses of all operations as interfaces. The declarations of the client then need neither zod
 * nor the time in which the compiler infers the types.
 */
export function writeOperationTypes(): string {
  const named = new Map<string, string>()
  const rows = Object.values(operations).map(({ name, summary, request, response }) => {
    const types = [writeSide(request, 'input', named), writeSide(response, 'output', named)]
    return `  /** ${summary} */\n  ${name}: { request: ${types[0]}; response: ${types[1]} }`
  })
  return [
    ...[...named].map(([name, text]) => `export type ${name} = ${text}`),
    `/** Requests and responses of the service's operations, by name. */\nexport interface Operations {\n${rows.join('\n')}\n}`,
    '/** The name of an operation of the service. */\nexport type OperationName = keyof Operations',
    "/** The request of an operation, in the specification's spelling. */",
    "export type RequestOf<Name extends OperationName> = Operations[Name]['request']",
    '/** The response of an operation, without the envelope. */',
    "export type ResponseOf<Name extends OperationName> = Operations[Name]['response']\n",
  ].join('\n')
}

/** Requests are typed as callers write them, and responses as the client reads them. */
function writeSide(schema: z.ZodType, io: 'input' | 'output', named: Map<string, string>): string {
  const { $defs = {}, ...top } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Schema
  for (const [name, definition] of Object.entries($defs)) {
    const text = writeType(definition)
    if ((named.get(name) ?? text) !== text) throw new Error(`${name}: must have one type in requests and responses.`)
    named.set(name, text)
  }
  return writeType(top)
}

/** Writes a schema as a type of TypeScript. A schema without a known keyword is `unknown`. */
export function writeType(schema: Schema): string {
  if (schema.$ref !== undefined) return schema.$ref.replace('#/$defs/', '')
  if ('const' in schema) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return schema.enum.map(value => JSON.stringify(value)).join(' | ')
  if (schema.anyOf !== undefined) return union(schema.anyOf.map(writeType))
  if (schema.allOf !== undefined && schema.type === undefined) return schema.allOf.map(writeType).join(' & ')
  if (Array.isArray(schema.type)) return union(schema.type.map(type => writeType({ ...schema, type })))
  if (schema.type === 'array') return writeList(writeType(schema.items ?? {}))
  if (schema.type === 'object') return writeObject(schema)
  return primitives[schema.type as keyof typeof primitives] ?? 'unknown'
}

function writeList(member: string): string {
  return /^\w+$/.test(member) ? `${member}[]` : `(${member})[]`
}

/** An empty text beside any text adds nothing. */
function union(types: readonly string[]): string {
  const parts = new Set(types.flatMap(type => (/[({[]/.test(type) ? [type] : type.split(' | '))))
  if (parts.has('string')) for (const part of parts) if (part.startsWith('"')) parts.delete(part)
  return [...parts].join(' | ')
}

function writeObject({ properties = {}, required = [], additionalProperties }: Schema): string {
  const fields = Object.entries(properties).map(([name, schema]) => {
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name)
    const type = writeType(schema)
    return required.includes(name) ? `${key}: ${type}` : `${key}?: ${type} | undefined`
  })
  if (fields.length > 0) return `{ ${fields.join('; ')} }`
  return typeof additionalProperties === 'object' ? `Record<string, ${writeType(additionalProperties)}>` : '{}'
}
