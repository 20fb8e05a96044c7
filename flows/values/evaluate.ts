import { canonicalJson, isRecord } from '#contract/terms'
import type { Comparison, Json, When } from '../declaration/sources.ts'
import { isOrdered, toOrder } from './order.ts'
import { pathsInWhen, readPath, toConnectives, type Values } from './paths.ts'
import { resolve } from './resolve.ts'

/** True if the condition holds; an absent one always does. */
export function evaluate(when: When | undefined, values: Values): boolean {
  if (when === undefined) return true
  const { any, all, not } = toConnectives(when)
  if (Array.isArray(any)) return any.some(one => evaluate(one, values))
  if (Array.isArray(all)) return all.every(one => evaluate(one, values))
  if (isRecord(not)) return !evaluate(not as When, values)
  return toEntries(when).every(([path, comparison]) => compare(readPath(values, path), comparison, values))
}

/**
 * The part of a condition that some of the values do not decide; true or false if they decide all of it.
 * @param isKnown whether the value of a path is final
 */
export function simplify(when: When, values: Values, isKnown: (path: string) => boolean): When | boolean {
  if (pathsInWhen(when).every(isKnown)) return evaluate(when, values)
  const { any, all, not } = toConnectives(when)
  if (Array.isArray(any)) return join(any, values, isKnown, 'any')
  if (Array.isArray(all)) return join(all, values, isKnown, 'all')
  if (isRecord(not)) {
    const inner = simplify(not as When, values, isKnown)
    return typeof inner === 'boolean' ? !inner : { not: inner }
  }
  const entries = toEntries(when).map(([path, comparison]) => ({ [path]: comparison }) as When)
  if (entries.length === 1) return when
  const rest = join(entries, values, isKnown, 'all')
  return typeof rest === 'object' && 'all' in rest ? Object.assign({}, ...(rest.all as When[])) : rest
}

function join(
  parts: readonly When[],
  values: Values,
  isKnown: (path: string) => boolean,
  connective: 'any' | 'all',
): When | boolean {
  const decides = connective === 'any'
  const simplified = parts.map(part => simplify(part, values, isKnown))
  if (simplified.includes(decides)) return decides
  const open = simplified.filter(part => typeof part !== 'boolean')
  const [only] = open
  if (only === undefined) return !decides
  if (open.length === 1) return only
  return connective === 'any' ? { any: open } : { all: open }
}

function toEntries(when: When): [string, Comparison][] {
  return Object.entries(when as Readonly<Record<string, Comparison>>)
}

function compare(value: Json | undefined, comparison: Comparison, values: Values): boolean {
  if (!isRecord(comparison)) return equals(value, comparison as Json)
  if ('present' in comparison) return (value !== undefined && value !== null) === comparison.present
  if ('is' in comparison) return equals(value, resolve(comparison.is as Json, values))
  if (value === undefined) return false
  if ('not' in comparison) return !equals(value, resolve(comparison.not as Json, values))
  if ('in' in comparison) return (comparison.in as readonly Json[]).some(one => equals(value, one))
  if ('contains' in comparison) {
    const wanted = resolve(comparison.contains as Json, values)
    return Array.isArray(value) && value.some(member => equals(member as Json, wanted))
  }
  const ordered = toOrder(comparison as Comparison)
  return ordered !== undefined && isOrdered(value, ordered.order, resolve(ordered.than, values))
}

/** An absent flag of a request means false, and an absent field means null. */
function equals(value: Json | undefined, other: Json): boolean {
  if (value === undefined || value === null) return other === null || other === false
  if (typeof value !== 'object') return value === other
  return canonicalJson(value) === canonicalJson(other)
}
