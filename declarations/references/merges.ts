import { isRecord } from '#contract/terms'
import type { Json, Source } from '#flows/declaration'
import type { FieldPath, Finding } from '../fault.ts'
import { type FoundMember, findMember, type Scope } from '../model/scope.ts'
import { readSource } from '../model/source.ts'
import { describeType, fieldsIn, type Members, nameIn } from '../model/valueType.ts'
import { typeOfJson } from './constants.ts'

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

/** The fields that a part can have, as far as its type tells. */
function namesIn(part: Part): string[] {
  if (part.kind === 'object') return Object.keys(part.fields)
  if (part.kind === 'other' || 'unknown' in part.member) return []
  return [...new Set([...Object.keys(fieldsIn(part.member.type) ?? {}), ...(part.or ? namesIn(part.or) : [])])]
}
