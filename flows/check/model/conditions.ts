import { canonicalJson } from '#contract/terms'
import { isOrdered, readMoment, toConnectives, toOrder } from '#flows'
import type { Comparison, Json, Path, Step, When } from '#flows/declaration'

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
function combine(parts: readonly (() => Truth)[], decisive: boolean): Truth {
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
  const ordered = toOrder(comparison)
  if (ordered !== undefined) {
    const { order, than } = ordered
    const [threshold, moment] = [thresholdOf(comparison), momentOf(comparison)]
    if ((threshold ?? moment) !== undefined && value === nothing) return false
    if (threshold !== undefined && !Number.isNaN(Number(value))) return isOrdered(Number(value), order, threshold)
    if (moment !== undefined && isMoment(value)) return isOrdered(JSON.parse(value), order, than as Json)
  }
  if ('contains' in comparison && value === nothing) return false
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

/** The number whose order with a value is asked for; undefined for moments and for values of other paths. */
export function thresholdOf(comparison: Comparison): number | undefined {
  const than = toOrder(comparison)?.than
  return typeof than === 'number' ? than : undefined
}

/** The moment whose order with a value is asked for. */
export function momentOf(comparison: Comparison): number | undefined {
  return readMoment(toOrder(comparison)?.than)
}

/** True for a moment in JSON. */
function isMoment(value: Value): boolean {
  return value.startsWith('"') && readMoment(JSON.parse(value)) !== undefined
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

/** True for an object or a list, and so for no literal of JSON. */
export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** True for a text, a number, a boolean or null. */
export function isLiteral(value: unknown): value is Exclude<Json, object> {
  return !isObject(value)
}

/** The conditions of a step: its own, those of its cases, and that of its rounds. */
export function conditionsOf(step: Step): When[] {
  const own = step.when === undefined ? [] : [step.when]
  if ('switch' in step) return [...own, ...step.switch.flatMap(({ when }) => when ?? [])]
  return 'repeat' in step && step.until !== undefined ? [...own, step.until] : own
}
