import type { z } from 'zod'
import type { Source } from '#flows/declaration'
import { type FieldPath, type Finding, suggest } from '../fault.ts'
import { findMember } from '../model/scope.ts'
import { readSource } from '../model/source.ts'
import { describeType, fits, type Members, memberNamed, nameIn } from '../model/valueType.ts'
import { checkConstant, isConstant, type Target, toConstant } from './constants.ts'
import { checkPaths, misfit, mismatch, pathFindings, type SourceContext } from './findings.ts'
import { checkReference } from './reference.ts'

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
    if (member.type.kind === 'any') for (const name of Object.keys(type.fields)) given.add(name)
    if (member.type.kind !== 'object')
      return member.type.kind === 'any'
        ? []
        : [mismatch([...place, 'from'], type, `"${read.path}" is ${describeType(member.type)}`)]
    // An absent object contributes nothing, so its fields do not count as given.
    if (!member.optional && !member.nullable) {
      for (const [name, { optional }] of Object.entries(member.type.fields)) if (!optional) given.add(name)
    }
    return Object.entries(member.type.fields).flatMap(([name, below]) => {
      const wanted = memberNamed(type.fields, name)
      if (wanted === undefined || fits(below.type, wanted.type)) return []
      return [misfit([...place, 'from'], `${read.path}.${name}`, below.type, wanted.type)]
    })
  })
  return [...findings, ...missingFields(type.fields, given, at)]
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
