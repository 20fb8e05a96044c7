import type { When } from '#flows/declaration'
import { absent, combine, evaluateOn, type Truth, type Value } from './conditions.ts'

/** The highest number of combinations that are tried. With more, the conditions count as compatible. */
const maxCombinations = 4_096

/** Marks a key whose value the second condition reads after a step between has given it. No path begins with it. */
const afterwards = '+'

/**
 * True if no values fulfil both conditions.
 * @param domain the values of a path
 * @param between the names of the steps with outputs from the one of the first condition to that of the second. Such a value is
 *   absent for the first condition, or the same for both, since of steps with one name only one runs.
 */
export function excludeEachOther(
  one: When | undefined,
  two: When | undefined,
  domain: (path: string) => Value[],
  between: ReadonlySet<string> = new Set(),
): boolean {
  if (one === undefined || two === undefined) return false
  const changes = (key: string) => [...between].some(name => key.startsWith(`${name}.`) || key.includes(`"${name}.`))
  const toLater = (key: string) => (changes(key) ? afterwards + key : key)
  const second = (values: ReadonlyMap<string, Value>): Truth => {
    const truth = evaluateOn(two, key => values.get(toLater(key)))
    return typeof truth === 'boolean' ? truth : { needs: toLater(truth.needs) }
  }
  /** The key to choose a value for, and the values. */
  const choose = (needs: string, values: ReadonlyMap<string, Value>): [string, Value[]] => {
    const key = needs.startsWith(afterwards) ? needs.slice(afterwards.length) : needs
    if (key.includes(' ')) return [needs, ['true', 'false']]
    if (!changes(key)) return [key, domain(key)]
    const before = values.get(key)
    const withAbsent = [...new Set([absent, ...domain(key)])]
    if (before === undefined) return [key, withAbsent]
    return [needs, before === absent ? withAbsent : [before]]
  }
  let combinations = 0
  const search = (values: ReadonlyMap<string, Value>): boolean => {
    combinations += 1
    if (combinations > maxCombinations) return false
    const truth = combine([() => evaluateOn(one, key => values.get(key)), () => second(values)], false)
    if (typeof truth === 'boolean') return !truth
    const [key, choices] = choose(truth.needs, values)
    return choices.every(value => search(new Map(values).set(key, value)))
  }
  return search(new Map())
}
