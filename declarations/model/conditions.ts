import { canonicalJson } from '#contract/terms'
import { readMoment, toConnectives } from '#flows'
import type { Comparison, FlowDeclaration, Json, Path, When } from '#flows/declaration'
import { type Member, typesIn } from './valueType.ts'

/**
 * A value as far as the conditions of a flow tell values apart: absent, null, one of the values that they compare with (in
 * JSON), or any other.
 */
export type Value = string
export const absent: Value = 'absent'
export const nothing: Value = 'null'
export const other: Value = 'other'

/** The truth of conditions on some values; a condition that needs a further one names it. */
export type Truth = boolean | { readonly needs: string }

/** Values by path, and the truth of comparisons between two values, by their text. */
export type Known = (key: string) => Value | undefined

/** Evaluates a condition as `evaluate` of the flows does. */
export function evaluateOn(when: When | undefined, known: Known): Truth {
  if (when === undefined) return true
  const { any, all, not } = toConnectives(when)
  if (any)
    return combine(
      any.map(one => () => evaluateOn(one, known)),
      true,
    )
  if (all)
    return combine(
      all.map(one => () => evaluateOn(one, known)),
      false,
    )
  if (not) {
    const truth = evaluateOn(not, known)
    return typeof truth === 'boolean' ? !truth : truth
  }
  return combine(
    comparisons(when).map(
      ([path, comparison]) =>
        () =>
          compare(path, comparison, known),
    ),
    false,
  )
}

/** @param decisive the truth of one part that decides the whole */
export function combine(parts: readonly (() => Truth)[], decisive: boolean): Truth {
  let open: Truth | undefined
  for (const part of parts) {
    const truth = part()
    if (truth === decisive) return decisive
    if (typeof truth !== 'boolean') open ??= truth
  }
  return open ?? !decisive
}

function compare(path: string, comparison: Comparison, known: Known): Truth {
  const value = known(path)
  if (value === undefined) return { needs: path }
  if (!isObject(comparison)) return equals(value, comparison)
  if ('present' in comparison) return (value !== absent && value !== nothing) === comparison.present
  if ('is' in comparison && isLiteral(comparison.is)) return equals(value, comparison.is)
  if (value === absent && !('is' in comparison)) return false
  if ('not' in comparison && isLiteral(comparison.not)) return !equals(value, comparison.not)
  if ('in' in comparison) return comparison.in.some(one => equals(value, one))
  const [threshold, moment] = [thresholdOf(comparison), momentOf(comparison)]
  if ((threshold ?? moment) !== undefined && value === nothing) return false
  if (threshold !== undefined && !Number.isNaN(Number(value))) return Number(value) < threshold
  if (moment !== undefined && !Number.isNaN(toMoment(value))) return toMoment(value) < moment
  const key = comparisonKey(path, comparison)
  const truth = known(key)
  return truth === undefined ? { needs: key } : truth === 'true'
}

/** An absent value equals null and false. */
function equals(value: Value, wanted: Json): boolean {
  if (value === absent || value === nothing) return wanted === null || wanted === false
  return value === canonicalJson(wanted)
}

/** The key of a comparison whose truth no single value decides. */
function comparisonKey(path: string, comparison: Comparison): string {
  return `${path} ${canonicalJson(comparison)}`
}

/** The number that a value is compared with by `lessThan`; undefined for moments and for values of other paths. */
function thresholdOf(comparison: Comparison): number | undefined {
  if (!isObject(comparison) || !('lessThan' in comparison)) return undefined
  return typeof comparison.lessThan === 'number' ? comparison.lessThan : undefined
}

/** The moment that a value is compared with by `lessThan`. */
function momentOf(comparison: Comparison): number | undefined {
  return isObject(comparison) && 'lessThan' in comparison ? readMoment(comparison.lessThan) : undefined
}

/** The moment of a value in JSON. NaN for any other value. */
function toMoment(value: Value): number {
  return (value.startsWith('"') ? readMoment(JSON.parse(value)) : undefined) ?? Number.NaN
}

/** The values of a path that conditions tell apart. */
export function domainOf({ type, optional, nullable }: Member, all: Compared): Value[] {
  const types = typesIn(type)
  if (types) return [...new Set(types.flatMap(type => domainOf({ type, optional, nullable }, all)))]
  const { constants, thresholds, moments } = all
  const empty = [...(optional ? [absent] : []), ...(nullable ? [nothing] : [])]
  if (type.kind === 'boolean') return [...empty, 'true', 'false']
  const values = constants.filter(value => value !== null && (value !== false || type.kind === 'any'))
  const compared = [...new Set(values.map(canonicalJson))]
  if (type.kind === 'choice') return [...empty, ...type.of.map(text => canonicalJson(text))]
  if (moments.length > 0 && (type.kind === 'instant' || type.kind === 'date')) {
    const points = [...moments, ...constants.flatMap(value => readMoment(value) ?? [])]
    return [...empty, ...new Set([...compared, ...momentsAround(points, type.kind).map(canonicalJson)])]
  }
  if (thresholds.length === 0) return [...empty, ...compared, other]
  const numbers = [...thresholds, ...constants.filter(value => typeof value === 'number')]
  const ranges = rangesOf(numbers, type.kind === 'integer').map(canonicalJson)
  const isNumber = type.kind === 'number' || type.kind === 'integer'
  return [...empty, ...(isNumber ? ranges : [...new Set([...compared, ...ranges]), other])]
}

/** Each number, and one number of each range between them. */
function rangesOf(numbers: readonly number[], areIntegers: boolean): number[] {
  const sorted = [...new Set(numbers)].toSorted((one, two) => one - two)
  const [least = 0, most = 0] = [sorted[0], sorted.at(-1)]
  const middles = sorted.slice(1).map((next, at) => ((sorted[at] ?? next) + next) / 2)
  const between = areIntegers ? middles.map(Math.floor) : middles
  return [...new Set([least - stepAt(least), ...sorted, ...between, most + stepAt(most)])]
}

/** A difference that changes the number: 1, or more for one beyond 2^53. */
function stepAt(number: number): number {
  return Math.max(1, Math.abs(number) * 2 * Number.EPSILON)
}

/** Each moment, and those next to it: at least one of each range between them that has one. */
function momentsAround(points: readonly number[], kind: 'instant' | 'date'): string[] {
  const step = kind === 'date' ? 86_400_000 : 1
  const length = kind === 'date' ? 'yyyy-mm-dd'.length : undefined
  return points
    .map(point => Math.floor(point / step) * step)
    .flatMap(point => [point - step, point, point + step])
    .map(point => new Date(point).toISOString().slice(0, length))
}

/** The values that conditions compare a path with. */
export interface Compared {
  readonly constants: readonly Json[]
  /** Numbers of `lessThan`. */
  readonly thresholds: readonly number[]
  /** Moments of `lessThan`, in milliseconds since 1970. */
  readonly moments: readonly number[]
}

/** The values that the conditions of a flow compare each path with. */
export function comparedIn(flow: FlowDeclaration): (path: string) => Compared {
  const all = Map.groupBy(
    flow.steps.flatMap<[string, Comparison]>(({ when }) => allComparisons(when)),
    ([path]) => path,
  )
  return path => {
    const comparisons = (all.get(path) ?? []).map(([, comparison]) => comparison)
    return {
      constants: comparisons.flatMap(constantsIn),
      thresholds: comparisons.map(thresholdOf).filter(threshold => threshold !== undefined),
      moments: comparisons.map(momentOf).filter(moment => moment !== undefined),
    }
  }
}

function constantsIn(comparison: Comparison): readonly Json[] {
  if (!isObject(comparison)) return [comparison]
  if ('in' in comparison) return comparison.in
  if ('is' in comparison && isLiteral(comparison.is)) return [comparison.is]
  return 'not' in comparison && isLiteral(comparison.not) ? [comparison.not] : []
}

/** Every comparison of a condition, with its path. */
export function allComparisons(when: When | undefined): [Path, Comparison][] {
  if (when === undefined) return []
  const { any, all, not } = toConnectives(when)
  if (any ?? all) return [...(any ?? []), ...(all ?? [])].flatMap(allComparisons)
  return not ? allComparisons(not) : comparisons(when)
}

/** The keys of values and comparisons that a condition may need. */
export function keysOf(when: When | undefined): string[] {
  return allComparisons(when).flatMap(([path, comparison]) => [path, comparisonKey(path, comparison)])
}

function comparisons(when: When): [Path, Comparison][] {
  return Object.entries(when) as [Path, Comparison][]
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function isLiteral(value: unknown): value is Exclude<Json, object> {
  return !isObject(value)
}
