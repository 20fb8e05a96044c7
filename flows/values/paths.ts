import { isRecord } from '#contract/terms'
import type { Comparison, Json, Source, When } from '../declaration/sources.ts'
import { toOrder } from './order.ts'

/**
 * The roots of paths, by their first word: `input`, the outputs of steps by name, and roles as `{ shipmentUid }`. A
 * step that was left out, or is still to come, has no entry.
 */
export type Values = Readonly<Record<string, Json | undefined>>

/** The value at a path such as `quote.cents`; undefined if any part of the path is absent. */
export function readPath(values: Values, path: string): Json | undefined {
  return path.split('.').reduce<Json | undefined>((below, part) => memberOf(below, part), values as Json)
}

/** The field of an object; undefined if it is absent, or if the value is not an object. */
export function memberOf(value: unknown, name: string): Json | undefined {
  return isRecord<Json>(value) && Object.hasOwn(value, name) ? value[name] : undefined
}

/** Every path that a source reads. */
export function pathsIn(source: Source | undefined): string[] {
  if (Array.isArray(source)) return source.flatMap(pathsIn)
  if (!isRecord(source)) return []
  if (isQuoted(source)) return []
  if (isReference(source)) return [source.from]
  return Object.values(source as Readonly<Record<string, Source>>).flatMap(pathsIn)
}

/** Every path that a condition reads. */
export function pathsInWhen(when: When | undefined): string[] {
  if (when === undefined) return []
  const { any, all, not } = toConnectives(when)
  if (any ?? all) return [...(any ?? []), ...(all ?? [])].flatMap(pathsInWhen)
  if (not) return pathsInWhen(not)
  return Object.entries(when).flatMap(([path, comparison]) => [
    path,
    ...(isRecord<Source>(comparison)
      ? [comparison.is, comparison.not, comparison.contains, toOrder(comparison as Comparison)?.than].flatMap(pathsIn)
      : []),
  ])
}

/** The connectives of a condition. A path contains a full stop, so no path is one of these keys. */
export function toConnectives(when: When): { any?: readonly When[]; all?: readonly When[]; not?: When } {
  return when as { any?: readonly When[]; all?: readonly When[]; not?: When }
}

/** True for `{ value }`, whose content is not a source. */
export function isQuoted(source: object): source is { readonly value: Json } {
  return Object.keys(source).length === 1 && 'value' in source
}

/** True for `{ from }` and `{ from, or }`. */
export function isReference(source: object): source is { readonly from: string; readonly or?: Json } {
  return (
    'from' in source &&
    typeof source.from === 'string' &&
    Object.keys(source).every(key => key === 'from' || key === 'or')
  )
}

/** True for `{ merge }`. */
export function isMerge(source: object): source is { readonly merge: readonly Source[] } {
  return Object.keys(source).length === 1 && 'merge' in source && Array.isArray(source.merge)
}
