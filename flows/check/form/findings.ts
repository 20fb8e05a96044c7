import { toMust } from '#contract'
import { bookings } from '#flows'
import type { StepKind } from '#flows/declaration'
import { cut, type FieldPath, type Finding, stepsOn, suggest, valueAt } from '../fault.ts'
import { isObject } from '../model/conditions.ts'
import { declaration } from './declaration.ts'
import { points } from './parts/points.ts'
import { codeOfSentence, sentences } from './parts/sentences.ts'
import { fieldNames, stepKinds } from './steps.ts'

/** Keys of a step that a later version may define. */
export const reserved = ['flow']
/** Keys of earlier forms, and words that people try for a block, with the end of a sentence that says what is written now. */
export const replaced: Readonly<Record<string, string>> = {
  each: '"forEach"',
  together: '"parallel"',
  completedBy: 'as a step that asks and a call, beside the wait in a "parallel" step with until "first"',
  if: '"switch"',
  loop: '"repeat"',
  try: '"group"',
}
const pointKinds = Object.keys(points) as (keyof typeof points)[]
const declarationFields = Object.keys(declaration.unwrap().shape)

/** True for the place of a step: the member of a list of steps, of a group, a branch, a case or a loop. */
export function isStep(at: FieldPath): boolean {
  return at.length > 0 && stepsOn(at).at(-1) === at.length
}

/** @param value the one at the path, which is shown if it is a short text, a number or a boolean */
export function invalid(at: FieldPath, message: string, value?: unknown): Finding {
  const isEmptyList = message === 'Too small: expected array to have >=1 items'
  const sentence = isEmptyList ? sentences.notEmpty : toMust(message)
  return { at, code: codeOfSentence[sentence] ?? 'InvalidValue', text: `${sentence}${describeGiven(value)}.` }
}

/** Longer texts would hide the sentence before them. Characters. */
const maxShown = 60

function describeGiven(value: unknown): string {
  if (!['string', 'number', 'boolean'].includes(typeof value)) return ''
  const shown = JSON.stringify(value)
  return shown.length > maxShown ? '' : `, got ${shown}`
}

/** The connective of a condition that also has the key. */
function connectiveBeside(key: string, condition: unknown): string | undefined {
  if (!isObject(condition) || !key.includes('.')) return undefined
  return ['any', 'all', 'not'].find(word => Object.hasOwn(condition, word))
}

/** The keys that make an object a source, and those that it may have with each. */
const sourceKeys = { from: ['from', 'or'], value: ['value'], merge: ['merge'] } as const

/** The problem of an object that one of its keys makes a source. Undefined for another value. */
export function sourceFindings(value: unknown, at: FieldPath): Finding[] | undefined {
  if (!isObject(value)) return undefined
  const [word, allowed] = Object.entries(sourceKeys).find(([key]) => Object.hasOwn(value, key)) ?? []
  if (word === undefined) return undefined
  const keys = Object.keys(value)
  const others = keys.filter(key => !allowed?.some(each => each === key))
  if (others.length === 0 && word === 'merge') return [invalid([...at, word], sentences.merge)]
  if (others.length === 0) return undefined
  const text = `must not stand beside "${word}", which makes the object a source. Write { value: { ${keys.join(', ')} } } for the object itself.`
  return others.map(key => ({ at: [...at, key], code: 'UnknownField', text }))
}

export function unknownOperation(at: FieldPath, value: unknown): Finding {
  const name = cut(typeof value === 'string' ? value : JSON.stringify(value))
  const text = `must be an operation that books, got "${name}".${suggest(name, Object.keys(bookings))}`
  return { at, code: 'UnknownOperation', text }
}

export function missing(at: FieldPath): Finding {
  if (isStep(at.slice(0, -1)) && at.at(-1) === 'undo') {
    return { at, code: 'UndoMissing', text: 'must name an activity, a left-over, or "nothing".' }
  }
  return { at, code: 'MissingField', text: 'must be given.' }
}

export function unknownField(at: FieldPath, root: unknown): Finding {
  const key = String(at.at(-1))
  if (reserved.includes(key) && at[0] === 'steps')
    return { at, code: 'NotYet', text: 'is reserved for a later version.' }
  const replacement = isStep(at.slice(0, -1)) && Object.hasOwn(replaced, key) ? replaced[key] : undefined
  if (replacement !== undefined) return { at, code: 'OldForm', text: `is written ${replacement}.` }
  const connective = connectiveBeside(key, valueAt(root, at.slice(0, -1)))
  if (connective !== undefined) {
    const text = `must not stand beside "${connective}". Write { all: [...] } for both.`
    return { at, code: 'UnknownField', text }
  }
  const known = knownFields(at.slice(0, -1), root)
  return { at, code: 'UnknownField', text: `is not a field of the form.${suggest(key, known)}` }
}

function knownFields(at: FieldPath, root: unknown): readonly string[] {
  if (at.length === 0) return declarationFields
  const value = valueAt(root, at)
  const [kind] = stepKindsIn(value)
  if (isStep(at)) return kind ? fieldNames(kind) : []
  const point = ['window', 'until'].includes(String(at.at(-1))) ? pointKindIn(value) : undefined
  return point === undefined ? [] : Object.keys(points[point].unwrap().shape)
}

export function pointKindIn(value: unknown): keyof typeof points | undefined {
  return pointKinds.find(key => isObject(value) && Object.hasOwn(value, key))
}

export function stepKindsIn(value: unknown): StepKind[] {
  return isObject(value) ? stepKinds.filter(kind => Object.hasOwn(value, kind)) : []
}
