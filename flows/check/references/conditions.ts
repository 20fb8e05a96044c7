import { type Order, readMoment, toConnectives, toOrder } from '#flows'
import type { Comparison, Json, Source, Step, When } from '#flows/declaration'
import { cut, type FieldPath, type Finding, valueAt } from '../fault.ts'
import { allComparisons } from '../model/conditions.ts'
import { findMember, type Scope } from '../model/scope.ts'
import { readSource } from '../model/source.ts'
import { canEqual, canPrecede, describeType, type Member, required, type ValueType } from '../model/valueType.ts'
import { isConstant, isValue, toConstant, typeOfJson } from './values/constants.ts'
import { checkPaths, pathFindings, textFindings, wrongPathType, wrongType } from './values/findings.ts'

/** Findings of a condition: of a step, or of an output. */
export function whenFindings(scope: Scope, when: When | undefined, at: FieldPath): Finding[] {
  return allComparisons(when).flatMap(([path, comparison]) => {
    const place = placeOf(when, path, at)
    const member = findMember(scope, path)
    if ('unknown' in member) return pathFindings(scope, path, place)
    if (typeof comparison !== 'object' || comparison === null) {
      const paths = textFindings(scope, comparison, place, source => `{ is: ${source} }`)
      return paths.length > 0 ? paths : equalFindings(member, comparison, place)
    }
    if ('in' in comparison) return comparison.in.flatMap(constant => equalFindings(member, constant, place))
    if ('is' in comparison) return sourceFindings(scope, member, ['is', comparison.is], place)
    if ('not' in comparison) return sourceFindings(scope, member, ['not', comparison.not], place)
    if ('contains' in comparison) return containsFindings(scope, member, path, comparison.contains, place)
    const ordered = toOrder(comparison)
    if (ordered === undefined) return []
    return isOrdered(member.type)
      ? sourceFindings(scope, member, [ordered.order, ordered.than], place)
      : [wrongPathType(place, path, member.type, { kind: 'number' })]
  })
}

function containsFindings(scope: Scope, { type }: Member, path: string, source: Source, at: FieldPath): Finding[] {
  if (type.kind === 'list') return sourceFindings(scope, type.of, ['contains', source], at)
  return type.kind === 'any' ? [] : [wrongPathType(at, path, type, { kind: 'list', of: required({ kind: 'any' }) })]
}

function isOrdered(type: ValueType): boolean {
  return ['number', 'integer', 'instant', 'date', 'any'].includes(type.kind)
}

/** A comparison with false or null asks whether an optional field is absent. */
function equalFindings(member: Member, constant: Json, at: FieldPath): Finding[] {
  const given = typeOfJson(constant)
  if (given === undefined || (constant === false && (member.optional || member.nullable))) return []
  return isValue(constant, given, member.type) ? [] : [compared(member, cut(JSON.stringify(constant)), at)]
}

function sourceFindings(
  scope: Scope,
  member: Member,
  [key, source]: readonly ['is' | 'not' | 'contains' | Order, Source],
  at: FieldPath,
): Finding[] {
  const paths = textFindings(scope, source, [...at, key])
  if (paths.length > 0) return paths
  if (isConstant(source)) {
    const constant = toConstant(source)
    if (!isOrder(key)) return constant === false ? [] : equalFindings(member, constant, at)
    return isThreshold(constant, member.type) ? [] : [compared(member, cut(JSON.stringify(constant)), at)]
  }
  const wrong = checkPaths({ scope, present: new Set() }, source, [...at, key])
  const read = readSource(source)
  if (wrong.length > 0 || read.kind !== 'from') return wrong
  const other = findMember(scope, read.path)
  if ('unknown' in other) return []
  const isPossible = isOrder(key) ? canPrecede : canEqual
  if (isPossible(member.type, other.type)) return []
  return [compared(member, `"${read.path}", which is ${describeType(other.type)}`, at)]
}

function isOrder(key: 'is' | 'not' | 'contains' | Order): key is Order {
  return key !== 'is' && key !== 'not' && key !== 'contains'
}

function isThreshold(constant: Json, { kind }: ValueType): boolean {
  if (kind === 'number' || kind === 'integer') return typeof constant === 'number'
  const isMoment = readMoment(constant) !== undefined
  return isMoment || (kind === 'any' && typeof constant === 'number')
}

function compared({ type }: Member, text: string, at: FieldPath): Finding {
  return wrongType(at, type, `it is compared with ${text}`)
}

/** Paths that are present whenever the condition of a step is true. */
export function pathsPresentIn({ when }: Step): ReadonlySet<string> {
  return new Set(when === undefined ? [] : shownBy(when, true))
}

/** @param truth of the condition */
function shownBy(when: When, truth: boolean): string[] {
  const { any, all, not } = toConnectives(when)
  if (not) return shownBy(not, !truth)
  const parts = any ?? all ?? Object.entries(when).map(([path, comparison]) => ({ [path]: comparison }) as When)
  // One part alone decides the truth: the others may be true or false.
  if (parts.length > 1 && truth === (any !== undefined)) return []
  if (any ?? all) return parts.flatMap(part => shownBy(part, truth))
  return parts.flatMap(part =>
    Object.entries(part as Readonly<Record<string, Comparison>>).flatMap(([path, comparison]) =>
      (truth ? demands : excludes)(comparison) ? [path] : [],
    ),
  )
}

function demands(comparison: Comparison): boolean {
  if (typeof comparison !== 'object') return comparison !== false
  if (comparison === null) return false
  if ('present' in comparison) return comparison.present
  if ('is' in comparison) return typeof comparison.is !== 'object' && comparison.is !== false
  // No such comparison is true for an absent value, and null equals null and false.
  if ('not' in comparison) return comparison.not === null || comparison.not === false
  if ('in' in comparison) return !comparison.in.includes(null) && !comparison.in.includes(false)
  return true
}

/** True for a comparison that is true for an absent value and for null. */
function excludes(comparison: Comparison): boolean {
  if (typeof comparison !== 'object' || comparison === null) return comparison === null || comparison === false
  if ('present' in comparison) return !comparison.present
  return 'is' in comparison && (comparison.is === null || comparison.is === false)
}

/** The place of a comparison below any, all and not. */
function placeOf(when: unknown, path: string, at: FieldPath): FieldPath {
  if (typeof when !== 'object' || when === null || Object.hasOwn(when, path)) return [...at, path]
  for (const [key, below] of Object.entries(when)) {
    for (const inner of Array.isArray(below) ? below.keys() : [undefined]) {
      const value = inner === undefined ? below : below[inner]
      const place = placeOf(value, path, inner === undefined ? [...at, key] : [...at, key, inner])
      if (valueAt(when, place.slice(at.length)) !== undefined) return place
    }
  }
  return [...at, path]
}
