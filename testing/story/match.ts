import { isDeepStrictEqual } from 'node:util'
import { leftOverReasons } from '#flows'
import type { Ends } from './form.ts'
import type { StoryState } from './target.ts'
import type { Expected } from './words.ts'

/** A difference between an expectation and the state. */
export interface Difference {
  /** Below the expectation: `shipments.issue`. */
  readonly at: readonly (string | number)[]
  readonly expected: unknown
  readonly actual: unknown
}

/** The differences between `expect` and the state. */
export function compareState(expected: Expected, state: StoryState): Difference[] {
  return [
    ...compareFields(expected, state, ['step', 'overdue', 'outcome']),
    ...compareCurrentDetails(expected, state),
    ...compareStates(expected.shipments, state, 'shipments'),
  ]
}

/** The differences between `ends` and the state of a flow that has ended. */
export function compareEnd(ends: Ends, state: StoryState): Difference[] {
  return [
    ...compareFields(ends, state, ['outcome', 'code']),
    ...compareStates(ends.bookings, state, 'bookings'),
    ...compareLeftOver(ends.leftOver, state),
    ...(ends.ran === undefined || isDeepStrictEqual([...ends.ran], [...state.ran])
      ? []
      : [{ at: ['ran'], expected: ends.ran, actual: state.ran }]),
    ...Object.entries(ends.outputs ?? {}).flatMap(([name, value]) => {
      const actual = state.outputs[name]
      return isDeepStrictEqual(actual, value) ? [] : [{ at: ['outputs', name], expected: value, actual }]
    }),
  ]
}

function compareFields<Field extends 'step' | 'overdue' | 'outcome' | 'code'>(
  expected: Readonly<Partial<Record<Field, unknown>>>,
  state: StoryState,
  fields: readonly Field[],
): Difference[] {
  return fields.flatMap(field =>
    expected[field] === undefined || expected[field] === state[field]
      ? []
      : [{ at: [field], expected: expected[field], actual: state[field] }],
  )
}

/** Markdown escapes and the case of letters do not count. */
function compareCurrentDetails({ currentDetails }: Expected, state: StoryState): Difference[] {
  if (currentDetails === undefined) return []
  const withoutMarkdown = (text: string) => text.replaceAll(/[\\*_`]/g, '').toLowerCase()
  const actual = state.currentDetails
  return withoutMarkdown(actual).includes(withoutMarkdown(currentDetails))
    ? []
    : [{ at: ['currentDetails'], expected: currentDetails, actual }]
}

function compareStates(
  expected: Readonly<Record<string, string>> | undefined,
  { shipments }: StoryState,
  field: string,
): Difference[] {
  return Object.entries(expected ?? {}).flatMap(([role, stateCode]) => {
    const actual = shipments.find(shipment => shipment.role === role)?.stateCode ?? 'not booked'
    return actual === stateCode ? [] : [{ at: [field, role], expected: stateCode, actual }]
  })
}

type ExpectedLeftOver = NonNullable<Ends['leftOver']>[number]

function compareLeftOver(expected: Ends['leftOver'], { leftOver }: StoryState): Difference[] {
  if (expected === undefined || haveSameLeftOvers(expected, leftOver)) return []
  return [{ at: ['leftOver'], expected, actual: leftOver }]
}

/**
 * True if each expectation matches a left-over of its own, and each left-over is matched. An expectation that fits several, such
 * as `{}`, gives up a left-over that is the only one of another.
 */
function haveSameLeftOvers(expected: readonly ExpectedLeftOver[], actual: StoryState['leftOver']): boolean {
  const taken = new Map<number, ExpectedLeftOver>()
  const place = (one: ExpectedLeftOver, tried: Set<number>): boolean =>
    actual.some((other, index) => {
      if (tried.has(index) || !fitsLeftOver(one, other)) return false
      tried.add(index)
      const before = taken.get(index)
      if (before !== undefined && !place(before, tried)) return false
      taken.set(index, one)
      return true
    })
  return expected.length === actual.length && expected.every(one => place(one, new Set()))
}

function fitsLeftOver({ role, step, reason }: ExpectedLeftOver, actual: StoryState['leftOver'][number]): boolean {
  const reasons: Readonly<Record<string, string>> = leftOverReasons
  const text = reason === undefined ? '' : Object.hasOwn(reasons, reason) ? (reasons[reason] ?? '') : reason
  return (
    (role === undefined || role === actual.role) &&
    (step === undefined || step === actual.step) &&
    actual.reason.toLowerCase().includes(text.toLowerCase())
  )
}
