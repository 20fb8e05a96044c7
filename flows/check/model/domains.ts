import { canonicalJson } from '#contract/terms'
import { readMoment } from '#flows'
import type { Comparison, FlowDeclaration, Json } from '#flows/declaration'
import {
  absent,
  allComparisons,
  conditionsOf,
  isLiteral,
  isObject,
  momentOf,
  nothing,
  other,
  thresholdOf,
  type Value,
} from './conditions.ts'
import { treeOf } from './tree.ts'
import { type Member, typesIn } from './valueType.ts'

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
  /** Numbers whose order with a value is asked for. */
  readonly thresholds: readonly number[]
  /** Moments whose order with a value is asked for, in milliseconds since 1970. */
  readonly moments: readonly number[]
}

/** The values that the conditions of a flow compare each path with. */
export function comparedIn(flow: FlowDeclaration): (path: string) => Compared {
  const all = Map.groupBy(
    treeOf(flow).flatMap<[string, Comparison]>(({ step }) => conditionsOf(step).flatMap(allComparisons)),
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
