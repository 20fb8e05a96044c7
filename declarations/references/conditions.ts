import type { Comparison, Json, Source, Step } from '#flows/declaration'
import { type FieldPath, type Finding, valueAt } from '../fault.ts'
import { allComparisons, connectives } from '../model/conditions.ts'
import { findMember, type Scope } from '../model/scope.ts'
import { describeType } from '../model/valueType.ts'
import { checkPaths, isValue, mismatch, pathFindings, typeOfJson } from './sources.ts'

/** Findings of the condition of a step. */
export function whenFindings(scope: Scope, { when }: Step, at: FieldPath): Finding[] {
  return allComparisons(when).flatMap(([path, comparison]) => {
    const place = placeOf(when, path, at)
    const member = findMember(scope, path)
    if ('unknown' in member) return pathFindings(scope, path, place)
    const { type } = member
    const constants: readonly Json[] =
      typeof comparison !== 'object' || comparison === null
        ? [comparison]
        : 'in' in comparison
          ? comparison.in
          : [('is' in comparison && comparison.is) ?? null, ('not' in comparison && comparison.not) ?? null].filter(
              (value): value is Exclude<Json, object> => typeof value !== 'object' && value !== false,
            )
    const wrong = constants.flatMap(constant => {
      const given = typeOfJson(constant)
      // A comparison with false or null asks whether an optional field is absent.
      if (given === undefined || (constant === false && (member.optional || member.nullable))) return []
      return isValue(constant, given, type)
        ? []
        : [mismatch(place, type, `it is compared with ${JSON.stringify(constant)}`)]
    })
    const sources = typeof comparison === 'object' && comparison !== null ? comparison : {}
    return [
      ...wrong,
      ...Object.entries(sources).flatMap(([key, source]) =>
        ['is', 'not', 'lessThan'].includes(key)
          ? checkPaths({ scope, present: new Set() }, source as Source, [...place, key])
          : [],
      ),
      ...('lessThan' in sources && !['number', 'integer', 'instant', 'date', 'any'].includes(type.kind)
        ? [mismatch(place, { kind: 'number' }, `"${path}" is ${describeType(type)}`)]
        : []),
    ]
  })
}

/** Paths that the condition of a step demands: a comparison with a value, at the top of the condition. */
export function presentIn({ when }: Step): ReadonlySet<string> {
  if (when === undefined) return new Set()
  const { any, all, not } = connectives(when)
  const parts = all ?? (any || not ? [] : [when])
  const demanded = parts.flatMap(part =>
    Object.entries(part as Readonly<Record<string, Comparison>>).filter(([, comparison]) => demands(comparison)),
  )
  return new Set(demanded.map(([path]) => path))
}

function demands(comparison: Comparison): boolean {
  if (typeof comparison !== 'object') return comparison !== false
  if (comparison === null) return false
  if ('present' in comparison) return comparison.present
  if ('is' in comparison) return typeof comparison.is !== 'object' && comparison.is !== false
  return (
    'lessThan' in comparison || ('in' in comparison && !comparison.in.includes(null) && !comparison.in.includes(false))
  )
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
