import { isRecord } from '#contract/terms'
import type { Json, Source } from '../declaration/sources.ts'
import { isMerge, isQuoted, isReference, readPath, type Values } from './paths.ts'

/**
 * The value of a source. An absent value leaves its field out of an object, and is null elsewhere. A merge ignores
 * values other than objects.
 */
export function resolve(source: Source, values: Values): Json {
  return resolvePresent(source, values) ?? null
}

function resolvePresent(source: Source, values: Values): Json | undefined {
  if (Array.isArray(source)) return source.map(member => resolve(member, values))
  if (!isRecord(source)) return source as Json
  if (isQuoted(source)) return source.value
  if (isReference(source)) return readReference(source, values)
  if (isMerge(source)) return merge(source.merge, values)
  return Object.fromEntries(
    Object.entries(source as Readonly<Record<string, Source>>).flatMap(([field, below]) => {
      const value = resolvePresent(below, values)
      return value === undefined ? [] : [[field, value]]
    }),
  )
}

/** An optional field may be null instead of absent, so `or` replaces both. */
function readReference(source: { readonly from: string; readonly or?: Json }, values: Values): Json | undefined {
  const value = readPath(values, source.from)
  if (value !== undefined && value !== null) return value
  return source.or === undefined ? value : source.or
}

function merge(sources: readonly Source[], values: Values): Json {
  return Object.assign({}, ...sources.map(source => resolve(source, values)).filter(isRecord))
}
