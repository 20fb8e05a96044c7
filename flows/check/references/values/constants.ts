import type { z } from 'zod'
import { describeProblem } from '#contract'
import { readMoment } from '#flows'
import type { Json, Source } from '#flows/declaration'
import type { FieldPath, Finding } from '../../fault.ts'
import { readSource } from '../../model/source.ts'
import { describeType, fits, type Member, typesIn, type ValueType } from '../../model/valueType.ts'
import { wrongType } from './findings.ts'

/** Where a value is written to. */
export interface Target {
  readonly member: Member
  /** Checks literals with all rules of the contract. */
  readonly schema?: z.core.$ZodType
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

/** Checks a literal with the schema, where the contract has one, otherwise by its type. */
export function checkConstant(value: Json, { member, schema }: Target, at: FieldPath): Finding[] {
  if (schema === undefined) {
    if (value === null) return member.optional || member.nullable ? [] : [wrongType(at, member.type, 'null is given')]
    const given = typeOfJson(value)
    return given === undefined || isValue(value, given, member.type)
      ? []
      : [wrongType(at, member.type, `${describeType(given)} is given`)]
  }
  const parsed = (schema as z.ZodType).safeParse(value)
  return (parsed.error?.issues ?? []).map(issue => ({
    at: [...at, ...(issue.path as FieldPath)],
    code: issue.code === 'unrecognized_keys' ? ('UnknownField' as const) : ('SourceType' as const),
    text: `must be a value that the request allows: ${describeProblem(issue).replace(/^must /, 'it must ')}.`,
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
  const types = typesIn(wanted)
  if (types) return types.some(type => isValue(value, given, type))
  if (typeof value !== 'string') return fits(given, wanted) || wanted.kind === 'object'
  if (wanted.kind === 'choice') return wanted.of.includes(value)
  if (wanted.kind === 'instant' || wanted.kind === 'date') {
    return readMoment(value) !== undefined && value.includes('T') === (wanted.kind === 'instant')
  }
  return ['text', 'uid', 'any'].includes(wanted.kind)
}
