import type { z } from 'zod'
import { describeIssue } from '#contract'
import { readMoment } from '#flows'
import type { Json, Source } from '#flows/declaration'
import { type FieldPath, type Finding, suggest } from '../fault.ts'
import { findMember, type Scope } from '../model/scope.ts'
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

export interface SourceContext {
  readonly scope: Scope
  /** Paths that the condition of the step shows to be present. */
  readonly present: ReadonlySet<string>
}

/** Where a value is written to. */
export interface Target {
  readonly member: Member
  /** Checks literals with all rules of the contract. */
  readonly schema?: z.core.$ZodType
}

/** The findings of paths alone, for a source whose target has no type. */
export function checkPaths(context: SourceContext, source: Source, at: FieldPath): Finding[] {
  const read = readSource(source)
  if (read.kind === 'from') return pathFindings(context.scope, read.path, [...at, 'from'])
  if (read.kind === 'list') return read.members.flatMap((member, index) => checkPaths(context, member, [...at, index]))
  if (read.kind === 'merge')
    return read.parts.flatMap((part, index) => checkPaths(context, part, [...at, 'merge', index]))
  if (read.kind === 'value') return []
  return Object.entries(read.fields).flatMap(([name, member]) => checkPaths(context, member, [...at, name]))
}

/** A finding if the path leads nowhere. */
export function pathFindings(scope: Scope, path: string, at: FieldPath): Finding[] {
  const member = findMember(scope, path)
  if (!('unknown' in member)) return []
  const { unknown, names } = member
  const known = names.length > 0 ? ` Known: ${names.join(', ')}.` : ''
  const hint = isErrorOfStep(scope, path) ? ' Only a step whose onError has "continue" has an error.' : ''
  const text = `must lead to a value that exists before this step, "${path}" does not.${hint || suggest(unknown, names) || known}`
  return [{ at, code: 'UnknownPath', text }]
}

function isErrorOfStep({ outputs }: Scope, path: string): boolean {
  const [head = '', field, ...rest] = path.split('.')
  return outputs.has(head) && field === 'error' && rest.length === 0
}

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

function checkReference(
  { scope, present }: SourceContext,
  { path, or }: { readonly path: string; readonly or: Json | undefined },
  { member, schema }: Target,
  at: FieldPath,
): Finding[] {
  const found = findMember(scope, path)
  if ('unknown' in found) return pathFindings(scope, path, [...at, 'from'])
  const place = [...at, 'from']
  const type = withPresent(found.type, path, present)
  if (!fits(type, member.type)) return [misfit(place, path, type, member.type)]
  if (or !== undefined) return checkConstant(or, { member, ...(schema && { schema }) }, [...at, 'or'])
  if (found.optional && !member.optional && !present.has(path)) {
    const text = `must be given: "${path}" may be absent. Add "or", or the condition { present: true }.`
    return [{ at: place, code: 'SourceType', text }]
  }
  if (found.nullable && !member.optional && !member.nullable && !isShown(present, path)) {
    const text = `must be given: "${path}" may be null. Add "or", or a condition on the response, such as { present: true }.`
    return [{ at: place, code: 'SourceType', text }]
  }
  return []
}

/**
 * True if the condition of the step demands a value of the same output: which fields of a response are null together, only its
 * operation tells (D-456).
 */
function isShown(present: ReadonlySet<string>, path: string): boolean {
  const head = `${path.split('.')[0]}.`
  return [...present].some(shown => shown.startsWith(head))
}

/** The type of the value at a path, with the fields that the condition of the step shows to be present. */
function withPresent(type: ValueType, path: string, present: ReadonlySet<string>): ValueType {
  if (type.kind !== 'object') return type
  const fields = Object.entries(type.fields).map(([name, member]): [string, Member] => {
    const at = `${path}.${name}`
    return [
      name,
      { ...member, type: withPresent(member.type, at, present), optional: member.optional && !present.has(at) },
    ]
  })
  return { kind: 'object', fields: Object.fromEntries(fields) }
}

/** Checks a literal with the schema, where the contract has one, otherwise by its type. */
function checkConstant(value: Json, { member, schema }: Target, at: FieldPath): Finding[] {
  if (schema === undefined) {
    if (value === null) return member.optional || member.nullable ? [] : [mismatch(at, member.type, 'null is given')]
    const given = typeOfJson(value)
    return given === undefined || isValue(value, given, member.type)
      ? []
      : [mismatch(at, member.type, `${describeType(given)} is given`)]
  }
  const parsed = (schema as z.ZodType).safeParse(value)
  return (parsed.error?.issues ?? []).map(issue => ({
    at: [...at, ...(issue.path as FieldPath)],
    code: issue.code === 'unrecognized_keys' ? ('UnknownField' as const) : ('SourceType' as const),
    text: `must be a value that the request allows: ${describeIssue({ ...issue, path: [] }, value).replace(/^The body: /, '')}.`,
  }))
}

export function typeOfJson(value: Json): ValueType | undefined {
  if (value === null) return undefined
  if (typeof value === 'string') return { kind: 'text' }
  if (typeof value === 'boolean') return { kind: 'boolean' }
  if (typeof value === 'number') return { kind: Number.isInteger(value) ? 'integer' : 'number' }
  return Array.isArray(value)
    ? { kind: 'list', of: { type: { kind: 'any' }, optional: false, nullable: false } }
    : { kind: 'object', fields: {} }
}

/** A literal text can be a uid, a choice or an instant. */
export function isValue(value: Json, given: ValueType, wanted: ValueType): boolean {
  if (typeof value !== 'string') return fits(given, wanted) || wanted.kind === 'object'
  if (wanted.kind === 'choice') return wanted.of.includes(value)
  if (wanted.kind === 'instant' || wanted.kind === 'date') {
    return readMoment(value) !== undefined && value.includes('T') === (wanted.kind === 'instant')
  }
  return ['text', 'uid', 'any'].includes(wanted.kind)
}

/** The finding of a value whose type does not fit, at the field of an object that is the reason. */
function misfit(at: FieldPath, path: string, given: ValueType, wanted: ValueType): Finding {
  if (given.kind !== 'object' || wanted.kind !== 'object')
    return mismatch(at, wanted, `"${path}" is ${describeType(given)}`)
  for (const [name, { type, optional }] of Object.entries(wanted.fields)) {
    const member = memberNamed(given.fields, name)
    if (!optional && (member === undefined || member.optional)) {
      const text = `must have the field ${name}: ${member ? `"${path}.${name}" may be absent` : `"${path}" has none`}.`
      return { at, code: 'SourceType', text }
    }
    if (member !== undefined && !fits(member.type, type)) return misfit(at, `${path}.${name}`, member.type, type)
  }
  return mismatch(at, wanted, `"${path}" is ${describeType(given)}`)
}

export function mismatch(at: FieldPath, wanted: ValueType, got: string): Finding {
  return { at, code: 'SourceType', text: `must be ${describeType(wanted)}, ${got}.` }
}

export function isConstant(source: Source): boolean {
  const read = readSource(source)
  if (read.kind === 'value') return true
  if (read.kind === 'list') return read.members.every(isConstant)
  return read.kind === 'object' && Object.values(read.fields).every(isConstant)
}

export function toConstant(source: Source): Json {
  const read = readSource(source)
  if (read.kind === 'value') return read.value
  if (read.kind === 'list') return read.members.map(toConstant)
  return read.kind === 'object'
    ? Object.fromEntries(Object.entries(read.fields).map(([name, member]) => [name, toConstant(member)]))
    : null
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
