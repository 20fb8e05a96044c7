import type { z } from 'zod'
import { type Member, type Members, required, type ValueType } from './valueType.ts'

/** Characters of the longest uid. In the contract only uids have 1 to 64 characters. */
const maxUid = 64

/** The types of the fields of a request or a response. Depends on zod's internal `_zod.def`. */
export function fromSchema(schema: z.ZodObject): Members {
  return Object.fromEntries(Object.entries(schema.shape).map(([name, member]) => [name, memberOf(member)]))
}

function memberOf(schema: z.core.$ZodType): Member {
  const def = (schema as z.core.$ZodTypes)._zod.def
  switch (def.type) {
    case 'optional':
    case 'default':
    case 'catch':
      return { ...memberOf(def.innerType), optional: true }
    case 'nullable':
      return { ...memberOf(def.innerType), nullable: true }
    case 'readonly':
      return memberOf(def.innerType)
    case 'pipe':
      return memberOf(def.in)
    case 'union':
      return unionOf(def.options.map(memberOf))
    default:
      return required(typeOf(schema as z.core.$ZodTypes))
  }
}

/** An optional text of the contract is a union with the empty text. */
function unionOf(options: readonly Member[]): Member {
  const isEmptyText = ({ type }: Member) => type.kind === 'choice' && type.of.every(text => text === '')
  const [only, ...others] = options.filter(option => !isEmptyText(option))
  return only !== undefined && others.length === 0 ? only : required({ kind: 'any' })
}

function typeOf(schema: z.core.$ZodTypes): ValueType {
  const def = schema._zod.def
  switch (def.type) {
    case 'string':
      return { kind: isUid(schema) ? 'uid' : 'text' }
    case 'number':
      return { kind: (schema as z.core.$ZodType as z.ZodNumber).isInt ? 'integer' : 'number' }
    case 'boolean':
      return { kind: 'boolean' }
    case 'enum':
      return { kind: 'choice', of: Object.values(def.entries).map(String) }
    case 'literal':
      return { kind: 'choice', of: def.values.map(String) }
    case 'array':
      return { kind: 'list', of: memberOf(def.element) }
    case 'object':
      return {
        kind: 'object',
        fields: Object.fromEntries(Object.entries(def.shape).map(([name, member]) => [name, memberOf(member)])),
      }
    default:
      return { kind: 'any' }
  }
}

function isUid(schema: z.core.$ZodType): boolean {
  const { minLength, maxLength } = schema as z.ZodString
  return minLength === 1 && maxLength === maxUid
}
