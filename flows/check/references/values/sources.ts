import type { z } from 'zod'
import type { Source } from '#flows/declaration'
import { type FieldPath, type Finding, suggest } from '../../fault.ts'
import { readSource } from '../../model/source.ts'
import { type Members, memberNamed, nameIn, type ValueType } from '../../model/valueType.ts'
import { checkConstant, isConstant, type Target, toConstant } from './constants.ts'
import { checkPaths, pathFindings, type SourceContext, textFindings, wrongType } from './findings.ts'
import { casingFindings, checkMergedType, nullFindings, type Part, partsOf } from './merges.ts'
import { checkReference, toPresentMember } from './reference.ts'

/** Checks a source against the type of its target. */
export function checkSource(context: SourceContext, source: Source, target: Target, at: FieldPath): Finding[] {
  const { type } = target.member
  const read = readSource(source)
  if (read.kind === 'from') return checkReference(context, read, target, at)
  if (read.kind !== 'object' && isConstant(source)) {
    const paths = textFindings(context.scope, source, at)
    return paths.length > 0 ? paths : checkConstant(toConstant(source), target, at)
  }
  if (read.kind === 'merge') return checkMerge(context, read.parts, target, at)
  if (read.kind === 'list') {
    if (type.kind === 'any') return checkPaths(context, source, at)
    if (type.kind !== 'list') return [wrongType(at, type, 'a list is given')]
    const element = schemaOf(target.schema)
    const below = { member: type.of, ...(element && { schema: element }) }
    return read.members.flatMap((member, index) => checkSource(context, member, below, [...at, index]))
  }
  if (read.kind !== 'object' || type.kind === 'any') return checkPaths(context, source, at)
  if (type.kind !== 'object') return [wrongType(at, type, 'an object is given')]
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
    const text = caseFieldFault(nameIn(fields, name), source)
    if (text !== undefined) return [{ at: [...at, name], code: 'SourceType' as const, text }]
    const below = schemaOf(schema, name)
    return checkSource(context, source, { member, ...(below && { schema: below }) }, [...at, name])
  })
}

/** The flow fills it in with its case number. */
const caseField = 'ReferenceCaseNo'

/** Gives a shipment to another case, whose flow then gets its callbacks. */
const newCaseField = 'caseReferenceNew'

function caseFieldFault(name: string | undefined, source: Source): string | undefined {
  if (isConstant(source) && toConstant(source) === null) return undefined
  if (name === caseField && isConstant(source)) return 'must be left out: the flow fills in its case number.'
  if (name !== newCaseField) return undefined
  return 'must be left out: callbacks find the flow by the case number of the shipment.'
}

function missingFields(fields: Members, given: ReadonlySet<string>, at: FieldPath): Finding[] {
  const folded = new Set([caseField, ...given].map(name => name.toLowerCase()))
  return Object.entries(fields).flatMap(([name, { optional }]) =>
    optional || folded.has(name.toLowerCase())
      ? []
      : [{ at: [...at, name], code: 'MissingField' as const, text: 'must be given: the request needs it.' }],
  )
}

function checkMerge(context: SourceContext, sources: readonly Source[], target: Target, at: FieldPath): Finding[] {
  const { type } = target.member
  if (type.kind !== 'object') return [wrongType(at, type, 'an object is given')]
  const parts = partsOf(context.scope, sources, at).map(part => partOnCondition(part, context))
  const given = parts.map(part => fieldsGivenBy(part, type.fields))
  return [
    ...parts.flatMap(part => checkPart(context, part, target)),
    ...casingFindings(parts, type.fields),
    ...nullFindings(parts, type.fields, given),
    ...missingFields(type.fields, new Set(given.flat()), at),
  ]
}

/** The part with the fields that the condition of the step shows to be present. */
function partOnCondition(part: Part, { present }: SourceContext): Part {
  if (part.kind !== 'from' || 'unknown' in part.member) return part
  return { ...part, member: toPresentMember(part.member, part.path, present) }
}

function checkPart(context: SourceContext, part: Part, target: Target): Finding[] {
  const { at } = part
  if (part.kind === 'object') return checkMembers(context, part.fields, target, at)
  if (part.kind === 'other') return [wrongType(at, target.member.type, part.got)]
  if ('unknown' in part.member) return pathFindings(context.scope, part.path, at)
  return [
    ...checkMergedType(part.member.type, part.path, target.member.type, at),
    ...(part.or ? checkPart(context, part.or, target) : []),
  ]
}

/** The fields that a part always has. Any JSON may have all of them; an absent object contributes those of its `or`. */
function fieldsGivenBy(part: Part, wanted: Members): string[] {
  if (part.kind === 'object') return Object.keys(part.fields)
  if (part.kind === 'other' || 'unknown' in part.member) return []
  const { type, optional, nullable } = part.member
  const required = requiredIn(type, wanted)
  if (type.kind === 'any' || !(optional || nullable)) return required
  const instead = part.or ? fieldsGivenBy(part.or, wanted).map(name => name.toLowerCase()) : []
  return required.filter(name => instead.includes(name.toLowerCase()))
}

function requiredIn(type: ValueType, wanted: Members): string[] {
  if (type.kind === 'object') return Object.keys(type.fields).filter(name => !type.fields[name]?.optional)
  if (type.kind !== 'any') return []
  const [first, ...others] = (type.types ?? []).map(one => requiredIn(one, wanted))
  return first?.filter(name => others.every(names => names.includes(name))) ?? Object.keys(wanted)
}

/** The schema of a field of an object, or of the members of a list, below optional and nullable. */
function schemaOf(schema: z.core.$ZodType | undefined, name = ''): z.core.$ZodType | undefined {
  if (schema === undefined) return undefined
  const def = (schema as z.core.$ZodTypes)._zod.def
  if (def.type === 'array') return def.element
  if (def.type === 'object') {
    return Object.entries(def.shape).find(([known]) => known.toLowerCase() === name.toLowerCase())?.[1]
  }
  return def.type === 'optional' || def.type === 'nullable' ? schemaOf(def.innerType, name) : undefined
}
