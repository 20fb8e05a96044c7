import type { z } from 'zod'
import type { Source } from '#flows/declaration'
import { type FieldPath, type Finding, suggest } from '../fault.ts'
import { findMember } from '../model/scope.ts'
import { readSource } from '../model/source.ts'
import {
  describeType,
  fits,
  type Member,
  type Members,
  memberNamed,
  nameIn,
  type ValueType,
} from '../model/valueType.ts'
import { checkConstant, isConstant, type Target, toConstant } from './constants.ts'
import { checkPaths, misfit, mismatch, pathFindings, type SourceContext } from './findings.ts'
import { checkReference } from './reference.ts'

type ObjectType = Extract<ValueType, { kind: 'object' }>

/** Checks a source against the type of its target. */
export function checkSource(context: SourceContext, source: Source, target: Target, at: FieldPath): Finding[] {
  const { type } = target.member
  const read = readSource(source)
  if (read.kind === 'from') return checkReference(context, read, target, at)
  if (read.kind !== 'object' && isConstant(source)) return checkConstant(toConstant(source), target, at)
  if (read.kind === 'merge') return checkMerge(context, read.parts, target, at)
  if (read.kind === 'list') {
    if (type.kind === 'any') return checkPaths(context, source, at)
    if (type.kind !== 'list') return [mismatch(at, type, 'a list is given')]
    const below = { member: type.of }
    return read.members.flatMap((member, index) => checkSource(context, member, below, [...at, index]))
  }
  if (read.kind !== 'object' || type.kind === 'any') return checkPaths(context, source, at)
  if (type.kind !== 'object') return [mismatch(at, type, 'an object is given')]
  return [
    ...checkMembers(context, read.fields, target, at),
    ...missingFields(type.fields, new Set(Object.keys(read.fields)), at),
  ]
}

function checkMembers(
  context: SourceContext,
  given: Readonly<Record<string, Source>>,
  { member: { type }, schema }: Target,
  at: FieldPath,
): Finding[] {
  const fields = type.kind === 'object' ? type.fields : {}
  const names = Object.keys(given)
  return Object.entries(given).flatMap(([name, source], index) => {
    const first = names.slice(0, index).find(other => other.toLowerCase() === name.toLowerCase())
    if (first !== undefined) {
      const text = `must be given once: "${first}" is the same field of the request.`
      return [{ at: [...at, name], code: 'UnknownField' as const, text }]
    }
    const member = memberNamed(fields, name)
    if (member === undefined) {
      const text = `is not a field of the request.${suggest(name, Object.keys(fields))}`
      return [{ at: [...at, name], code: 'UnknownField' as const, text }]
    }
    if (nameIn(fields, name) === caseField && isConstant(source) && toConstant(source) !== null) {
      const text = 'must be left out: the flow fills in its case number.'
      return [{ at: [...at, name], code: 'SourceType' as const, text }]
    }
    const below = schemaOf(schema, name)
    return checkSource(context, source, { member, ...(below && { schema: below }) }, [...at, name])
  })
}

/** The flow fills it in with its case number. */
const caseField = 'ReferenceCaseNo'

function missingFields(fields: Members, given: ReadonlySet<string>, at: FieldPath): Finding[] {
  const folded = new Set([caseField, ...given].map(name => name.toLowerCase()))
  return Object.entries(fields).flatMap(([name, { optional }]) =>
    optional || folded.has(name.toLowerCase())
      ? []
      : [{ at: [...at, name], code: 'MissingField' as const, text: 'must be given: the request needs it.' }],
  )
}

function checkMerge(context: SourceContext, parts: readonly Source[], target: Target, at: FieldPath): Finding[] {
  const { type } = target.member
  if (type.kind !== 'object') return [mismatch(at, type, 'an object is given')]
  const given = new Set<string>()
  const findings = parts.flatMap((part, index) => {
    const read = readSource(part)
    const place = [...at, 'merge', index]
    if (read.kind === 'object') {
      for (const name of Object.keys(read.fields)) given.add(name)
      return checkMembers(context, read.fields, target, place)
    }
    if (read.kind !== 'from') return [mismatch(place, type, 'it is none')]
    const member = findMember(context.scope, read.path)
    if ('unknown' in member) return pathFindings(context.scope, read.path, [...place, 'from'])
    for (const name of fieldsGivenBy(member, type.fields)) given.add(name)
    return checkMergedType(member.type, read.path, type, [...place, 'from'])
  })
  return [...findings, ...missingFields(type.fields, given, at)]
}

/** The fields that a merged value always has. Any JSON may have all of them; an absent object contributes nothing. */
function fieldsGivenBy({ type, optional, nullable }: Member, wanted: Members): string[] {
  if (type.kind === 'any') return Object.keys(wanted)
  if (type.kind !== 'object' || optional || nullable) return []
  return Object.keys(type.fields).filter(name => !type.fields[name]?.optional)
}

function checkMergedType(given: ValueType, path: string, wanted: ObjectType, at: FieldPath): Finding[] {
  if (given.kind === 'any') return []
  if (given.kind !== 'object') return [mismatch(at, wanted, `"${path}" is ${describeType(given)}`)]
  return Object.entries(given.fields).flatMap(([name, { type }]) => {
    const member = memberNamed(wanted.fields, name)
    if (member === undefined || fits(type, member.type)) return []
    return [misfit(at, `${path}.${name}`, type, member.type)]
  })
}

/** The schema of a field of an object, below optional and nullable. */
function schemaOf(schema: z.core.$ZodType | undefined, name: string): z.core.$ZodType | undefined {
  if (schema === undefined) return undefined
  const def = (schema as z.core.$ZodTypes)._zod.def
  if (def.type === 'object') {
    return Object.entries(def.shape).find(([known]) => known.toLowerCase() === name.toLowerCase())?.[1]
  }
  return def.type === 'optional' || def.type === 'nullable' ? schemaOf(def.innerType, name) : undefined
}
