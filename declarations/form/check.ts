import type { z } from 'zod'
import { bookings } from '#flows'
import type { FlowDeclaration, StepKind } from '#flows/declaration'
import { type FieldPath, type Finding, suggest, valueAt } from '../fault.ts'
import { isObject } from '../model/conditions.ts'
import { declaration } from './declaration.ts'
import { codeOfSentence, sentences } from './sentences.ts'
import { fieldsOf, kinds, points } from './steps.ts'

/** Keys of a step that a later version may define. */
const reserved = ['each', 'together', 'flow']
const stepKinds = Object.keys(kinds) as StepKind[]
const pointKinds = Object.keys(points) as (keyof typeof points)[]
const declarationFields = Object.keys(declaration.unwrap().shape)

export type FormResult =
  | { readonly ok: true; readonly flow: FlowDeclaration }
  | { readonly ok: false; readonly findings: readonly Finding[] }

/** Checks the form of a value: its keys, and the types of their values. Never throws. */
export function checkForm(value: unknown): FormResult {
  const parsed = declaration.safeParse(value)
  const prototypes = findPrototypes(value, [])
  if (parsed.success && prototypes.length === 0) return { ok: true, flow: parsed.data }
  const findings = (parsed.error?.issues ?? []).flatMap(issue => toFindings(issue, value, []))
  return { ok: false, findings: withoutDoubles([...findings, ...prototypes]) }
}

/** Findings of keys that a schema ignores: their fields would vanish. */
export function findPrototypes(value: unknown, at: FieldPath): Finding[] {
  if (typeof value !== 'object' || value === null) return []
  const entries: [string | number, unknown][] = Array.isArray(value) ? [...value.entries()] : Object.entries(value)
  return entries.flatMap(([key, member]) => {
    if (key !== '__proto__') return findPrototypes(member, [...at, key])
    return [{ at: [...at, key], code: 'BadName', text: `must be another name, because every object has a "${key}".` }]
  })
}

function toFindings(issue: z.core.$ZodIssue, root: unknown, above: FieldPath): Finding[] {
  const at = [...above, ...(issue.path as FieldPath)]
  const value = valueAt(root, at)
  const beside = issue.message === sentences.source ? inSource(value, at) : undefined
  if (beside !== undefined) return beside
  if (issue.code === 'unrecognized_keys') return issue.keys.map(key => unknownField([...at, key], root))
  if (issue.code === 'invalid_key') return [invalid(at, issue.issues[0]?.message ?? issue.message)]
  if (value === undefined && at.length > 0) return [missing(at)]
  if (at.length === 3 && at[0] === 'steps' && at[2] === 'book') return [unknownOperation(at, value)]
  if (issue.code === 'invalid_union') return inUnion(issue, root, at)
  return [invalid(at, issue.message, value)]
}

/** @param value the one at the path, which is shown if it is a short text, a number or a boolean */
function invalid(at: FieldPath, message: string, value?: unknown): Finding {
  const isEmptyList = message === 'Too small: expected array to have >=1 items'
  const sentence = isEmptyList ? sentences.notEmpty : message.startsWith('Invalid') ? toMust(message) : message
  return { at, code: codeOfSentence[sentence] ?? 'InvalidValue', text: `${sentence}${describeGiven(value)}.` }
}

/** Longer texts would hide the sentence before them. Characters. */
const longestShown = 60

function describeGiven(value: unknown): string {
  if (!['string', 'number', 'boolean'].includes(typeof value)) return ''
  const shown = JSON.stringify(value)
  return shown.length > longestShown ? '' : `, got ${shown}`
}

/** The types of zod that are no words of this form. */
const typeNames: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  number: 'a number',
  object: 'an object',
  record: 'an object',
  string: 'a text',
}

/** Sentences of zod begin with "Invalid input: expected" or "Invalid option: expected". */
function toMust(message: string): string {
  const [, wanted = message] = /^Invalid \w+: expected (.*?)(?:, received .*)?$/.exec(message) ?? []
  return `must be ${typeNames[wanted] ?? wanted.replaceAll('|', ', ')}`
}

/** The connective of a condition that also has the key. */
function connectiveBeside(key: string, condition: unknown): string | undefined {
  if (!isObject(condition) || !key.includes('.')) return undefined
  return ['any', 'all', 'not'].find(word => Object.hasOwn(condition, word))
}

/** The keys that make an object a source, and those that it may have with each. */
const sourceKeys = { from: ['from', 'or'], value: ['value'], merge: ['merge'] } as const

/** The problem of an object that one of its keys makes a source. Undefined for another value. */
function inSource(value: unknown, at: FieldPath): Finding[] | undefined {
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

function unknownOperation(at: FieldPath, value: unknown): Finding {
  const name = typeof value === 'string' ? value : JSON.stringify(value)
  const text = `must be an operation that books, got "${name}".${suggest(name, Object.keys(bookings))}`
  return { at, code: 'UnknownOperation', text }
}

function missing(at: FieldPath): Finding {
  if (at.length === 3 && at[0] === 'steps' && at[2] === 'undo') {
    return { at, code: 'UndoMissing', text: 'must name an activity, a left-over, or "nothing".' }
  }
  return { at, code: 'MissingField', text: 'must be given.' }
}

function unknownField(at: FieldPath, root: unknown): Finding {
  const key = String(at.at(-1))
  if (reserved.includes(key)) return { at, code: 'NotYet', text: 'is reserved for a later version.' }
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
  const [kind] = kindsOf(value)
  if (at.length === 2) return kind ? fieldsOf(kind) : []
  const point = ['window', 'until'].includes(String(at.at(-1))) ? pointKindOf(value) : undefined
  return point === undefined ? [] : Object.keys(points[point].unwrap().shape)
}

/** The problem of the variant that the value is meant to be. */
function inUnion(issue: z.core.$ZodIssueInvalidUnion, root: unknown, at: FieldPath): Finding[] {
  const isStep = at.length === 2 && at[0] === 'steps'
  if (isStep) return inStep(issue, root, at)
  const value = valueAt(root, at)
  const inside = isEndOf(at) ? inPoint(root, at) : undefined
  if (inside !== undefined) return inside
  const meant = issue.errors.filter(variant => variant.every(({ path, code }) => path.length > 0 || isInside(code)))
  const [only] = meant.toSorted((a, b) => depthOf(b) - depthOf(a))
  if (typeof value === 'string' && isEndOf(at)) return [invalid(at, sentences.duration, value)]
  if (only === undefined || !isObject(value) || isForeign(value, only)) return [invalid(at, issue.message, value)]
  return only.flatMap(inner => toFindings(inner, root, at))
}

/** True if the value has none of the keys of the variant. */
function isForeign(value: object, variant: readonly z.core.$ZodIssue[]): boolean {
  const unknown = variant.flatMap(issue =>
    issue.code === 'unrecognized_keys' && issue.path.length === 0 ? issue.keys : [],
  )
  return unknown.length > 0 && Object.keys(value).every(key => unknown.includes(key))
}

const isInside = (code: string | undefined) =>
  code === 'unrecognized_keys' || code === 'custom' || code === 'invalid_union'

/** How far into the value a variant fits. */
function depthOf(variant: readonly z.core.$ZodIssue[]): number {
  return Math.min(
    ...variant.map(({ path, code }) =>
      code === 'unrecognized_keys' ? path.length + 0.5 : path.length + (code === 'custom' ? 0.25 : 1),
    ),
  )
}

function isEndOf(at: FieldPath): boolean {
  return at.length === 3 && ['window', 'sleep'].includes(String(at[2]))
}

/** The problems of a point in time, by the key that it has. Undefined for another value. */
function inPoint(root: unknown, at: FieldPath): Finding[] | undefined {
  const value = valueAt(root, at)
  if (!isObject(value)) return undefined
  if (Object.hasOwn(value, 'until') && at.at(-1) === 'sleep') {
    const rest = Object.keys(value).filter(key => key !== 'until')
    if (rest.length > 0) return rest.map(key => unknownField([...at, key], root))
    return inPoint(root, [...at, 'until']) ?? [invalid([...at, 'until'], sentences.point)]
  }
  const kind = pointKindOf(value)
  if (kind === undefined) return undefined
  return points[kind].safeParse(value).error?.issues.flatMap(issue => toFindings(issue, root, at))
}

function pointKindOf(value: unknown): keyof typeof points | undefined {
  return pointKinds.find(key => isObject(value) && Object.hasOwn(value, key))
}

function inStep(issue: z.core.$ZodIssueInvalidUnion, root: unknown, at: FieldPath): Finding[] {
  const value = valueAt(root, at)
  const [kind, other] = kindsOf(value)
  if (kind !== undefined && other === undefined) {
    return (issue.errors[stepKinds.indexOf(kind)] ?? []).flatMap(inner => toFindings(inner, root, at))
  }
  const later = isObject(value) ? reserved.filter(word => Object.hasOwn(value, word)) : []
  if (later.length > 0) return later.map(word => unknownField([...at, word], root))
  if (kind !== undefined) {
    return [{ at, code: 'StepKind', text: `must have one of ${kindsOf(value).join(' and ')}, not both.` }]
  }
  return [{ at, code: 'StepKind', text: `${sentences.step}.` }]
}

function kindsOf(value: unknown): StepKind[] {
  return isObject(value) ? stepKinds.filter(kind => Object.hasOwn(value, kind)) : []
}

function withoutDoubles(findings: readonly Finding[]): Finding[] {
  return [...new Map(findings.map(finding => [JSON.stringify(finding), finding])).values()]
}
