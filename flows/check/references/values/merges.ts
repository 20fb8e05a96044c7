import { isRecord } from '#contract/terms'
import type { Json, Source } from '#flows/declaration'
import type { FieldPath, Finding } from '../../fault.ts'
import { type FoundMember, findMember, type Scope } from '../../model/scope.ts'
import { readSource } from '../../model/source.ts'
import {
  describeType,
  fieldsIn,
  fits,
  type Members,
  memberNamed,
  nameIn,
  typesIn,
  type ValueType,
} from '../../model/valueType.ts'
import { typeOfJson } from './constants.ts'
import { repeatedFields, wrongField, wrongPathType } from './findings.ts'

/** A part of a merge, with the parts of the merges in it. */
export type Part = { readonly at: FieldPath } & (
  | { readonly kind: 'object'; readonly fields: Readonly<Record<string, Source>> }
  | {
      readonly kind: 'from'
      readonly path: string
      readonly member: FoundMember
      /** Takes the place of an absent object. */
      readonly or: LiteralPart | undefined
    }
  | OtherPart
)

/** No object. `got` describes it, as the end of a sentence. */
interface OtherPart {
  readonly kind: 'other'
  readonly got: string
}

type LiteralPart = { readonly at: FieldPath } & (
  | { readonly kind: 'object'; readonly fields: Readonly<Record<string, Source>> }
  | OtherPart
)

export function partsOf(scope: Scope, parts: readonly Source[], at: FieldPath): Part[] {
  return parts.flatMap((part, index): Part[] => {
    const place = [...at, 'merge', index]
    const read = readSource(part)
    if (read.kind === 'merge') return partsOf(scope, read.parts, place)
    if (read.kind === 'object') return [{ kind: 'object', fields: read.fields, at: place }]
    if (read.kind === 'from') {
      const or = read.or === undefined ? undefined : literalPart(read.or, [...place, 'or'])
      return [{ kind: 'from', path: read.path, member: findMember(scope, read.path), or, at: [...place, 'from'] }]
    }
    if (read.kind === 'list') return [{ kind: 'other', got: 'a list is given', at: place }]
    return [literalPart(read.value, isRecord(read.value) ? [...place, 'value'] : place)]
  })
}

function literalPart(value: Json, at: FieldPath): LiteralPart {
  if (!isRecord(value)) return { kind: 'other', got: describeLiteral(value), at }
  const fields = Object.entries(value).map(([name, below]) => [name, { value: below as Json }])
  return { kind: 'object', fields: Object.fromEntries(fields), at }
}

function describeLiteral(value: Json): string {
  const type = typeOfJson(value)
  return `${type ? describeType(type) : 'null'} is given`
}

/** Checks the type of an object that is a part of a merge. */
export function checkMergedType(given: ValueType, path: string, wanted: ValueType, at: FieldPath): Finding[] {
  const fields = fieldsIn(given)
  if (fields === undefined) return given.kind === 'any' ? [] : [wrongPathType(at, path, given, wanted)]
  const target = wanted.kind === 'object' ? wanted.fields : {}
  const repeated = (typesIn(given) ?? [given]).flatMap(one => repeatedFields(at, path, fieldsIn(one) ?? {}, target))
  const wrongFields = Object.entries(fields).flatMap(([name, { type }]) => {
    const member = memberNamed(target, name)
    if (member === undefined || fits(type, member.type)) return []
    return [wrongField(at, `${path}.${name}`, type, member.type)]
  })
  return [...repeated, ...wrongFields]
}

/** Findings of fields that several parts have: a request with a field in two casings is invalid. */
export function casingFindings(parts: readonly Part[], wanted: Members): Finding[] {
  const given = parts.flatMap(part =>
    namesIn(part).flatMap(name => {
      const field = nameIn(wanted, name)
      return field === undefined ? [] : [{ part, name, field }]
    }),
  )
  return given
    .filter(({ part, name, field }) => name !== field && given.some(one => one.part !== part && one.field === field))
    .map(({ part: { kind, at }, name, field }) => ({
      at: kind === 'object' ? [...at, name] : at,
      code: 'UnknownField',
      text: `must have "${field}" instead of "${name}": another part of the merge has the field, and the request would have it twice.`,
    }))
}

/**
 * Findings of fields that a part takes from the parts before it: null is a value, which a merge writes over theirs.
 * @param given by each part, the fields of the request that it always has
 */
export function nullFindings(
  parts: readonly Part[],
  wanted: Members,
  given: readonly (readonly string[])[],
): Finding[] {
  return parts.flatMap((part, index) => {
    if (part.kind !== 'from' || 'unknown' in part.member) return []
    const has = (others: readonly (readonly string[])[], field: string) =>
      others.flat().some(name => nameIn(wanted, name) === field)
    return Object.entries(fieldsIn(part.member.type) ?? {}).flatMap(([name, { nullable }]): Finding[] => {
      const field = nameIn(wanted, name)
      const target = field === undefined ? undefined : wanted[field]
      if (!nullable || field === undefined || target === undefined || target.optional || target.nullable) return []
      if (!has(given.slice(0, index), field) || has(given.slice(index + 1), field)) return []
      const text = `must have the field ${name}: "${part.path}.${name}" may be null, which replaces the value of a part before. Give the field by { from, or } in a later part.`
      return [{ at: part.at, code: 'SourceType', text }]
    })
  })
}

/** The fields that a part can have, by its type. */
function namesIn(part: Part): string[] {
  if (part.kind === 'object') return Object.keys(part.fields)
  if (part.kind === 'other' || 'unknown' in part.member) return []
  return [...new Set([...Object.keys(fieldsIn(part.member.type) ?? {}), ...(part.or ? namesIn(part.or) : [])])]
}
