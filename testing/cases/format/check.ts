import type { z } from 'zod'
import { toMust } from '#contract'
import { type FieldPath, findPrototypes, suggest, valueAt } from '#flows/check'
import { placeholders, type Story, story, verbsIn, words } from '#testing/story'
import { type TestCase, testCase } from './case.ts'
import type { CaseFinding } from './fault.ts'

export type Checked<Form> =
  | { readonly ok: true; readonly value: Form }
  | { readonly ok: false; readonly findings: readonly CaseFinding[] }

/** Checks the form of a value that should be a test case. Never throws. */
export function checkCase(value: unknown): Checked<TestCase> {
  return check(testCase, value, Object.keys(testCase.unwrap().shape))
}

/** Checks the form of a value that should be a story. Never throws. */
export function checkStory(value: unknown): Checked<Story> {
  return check(story, value, Object.keys(story.unwrap().shape))
}

/** True for a value with a field that a test case has and a story has not. */
export function hasCaseField(value: unknown): boolean {
  const ofStory = Object.keys(story.unwrap().shape)
  const own = Object.keys(testCase.unwrap().shape).filter(field => !ofStory.includes(field))
  return typeof value === 'object' && value !== null && own.some(field => Object.hasOwn(value, field))
}

function check<Form>(schema: z.ZodType<Form>, value: unknown, known: readonly string[]): Checked<Form> {
  const parsed = schema.safeParse(value)
  const filledIn = [
    ['request'],
    ['ends', 'outputs'],
    ...membersAt(value, ['runs'], 'returns'),
    ...membersAt(value, ['story'], 'fields'),
  ]
  const wrong = [
    ...filledIn.flatMap(at => findPlaceholderFaults(valueAt(value, at), at)),
    ...findPrototypes(value, []).map(finding => ({ ...finding, code: 'UnknownField' as const })),
  ]
  if (parsed.success && wrong.length === 0) return { ok: true, value: parsed.data }
  const issues = parsed.success ? [] : parsed.error.issues
  return { ok: false, findings: [...issues.flatMap(issue => toFindings(issue, value, [], known)), ...wrong] }
}

/** The paths of a field of each member of a map or list. */
function membersAt(value: unknown, at: FieldPath, field: string): FieldPath[] {
  const members = valueAt(value, at)
  if (typeof members !== 'object' || members === null) return []
  const keys = Array.isArray(members) ? members.keys() : Object.keys(members)
  return [...keys].map(key => [...at, key, field])
}

function toFindings(issue: z.core.$ZodIssue, root: unknown, above: FieldPath, known: readonly string[]): CaseFinding[] {
  const at = [...above, ...(issue.path as FieldPath)]
  if (issue.code === 'unrecognized_keys') return issue.keys.map(key => unknownField([...at, key], known))
  if (issue.code === 'invalid_key') return [invalid(at, issue.issues[0]?.message ?? issue.message)]
  if (issue.code === 'invalid_union' && isWord(at)) return inWord(issue, root, at)
  if (valueAt(root, at) === undefined && at.length > 0) return [{ at, code: 'MissingField', text: 'must be given.' }]
  return [invalid(at, issue.message)]
}

function isWord(at: FieldPath): boolean {
  return at.length === 2 && at[0] === 'story'
}

/** The problem of the word that the value is meant to be. */
function inWord(issue: z.core.$ZodIssueInvalidUnion, root: unknown, at: FieldPath): CaseFinding[] {
  const value = valueAt(root, at)
  const all = Object.keys(words)
  const [verb] = verbsIn(value)
  if (verb !== undefined) {
    const fields = Object.keys(words[verb].shape)
    return (issue.errors[all.indexOf(verb)] ?? []).flatMap(inner => toFindings(inner, root, at, fields))
  }
  const [key] = typeof value === 'object' && value !== null ? Object.keys(value) : [String(value)]
  const near = typeof value === 'string' && all.includes(value) ? ` Write "${value}: …".` : suggest(key ?? '', all)
  return [{ at, code: 'UnknownField', text: `must be one of ${all.join(', ')}.${near}` }]
}

function unknownField(at: FieldPath, known: readonly string[]): CaseFinding {
  const key = String(at.at(-1))
  return { at, code: 'UnknownField', text: `is not a field of the form.${suggest(key, known)}` }
}

function invalid(at: FieldPath, message: string): CaseFinding {
  return { at, code: 'InvalidValue', text: `${toMust(message)}.` }
}

/** An object with a key that begins with $ stands for a value. */
function findPlaceholderFaults(value: unknown, at: FieldPath): CaseFinding[] {
  if (typeof value !== 'object' || value === null) return []
  const whole = Object.keys(value).find(key => Object.hasOwn(placeholders, key) && key !== '$example')
  const beside = whole === undefined ? [] : Object.keys(value).filter(key => key !== whole)
  if (beside.length > 0) {
    const text = `must not stand beside "${whole}", which makes the object one value.`
    return beside.map(key => ({ at: [...at, key], code: 'UnknownField', text }))
  }
  const entries: [string | number, unknown][] = Array.isArray(value) ? [...value.entries()] : Object.entries(value)
  return entries.flatMap(([key, member]) => {
    if (typeof key !== 'string' || !key.startsWith('$')) return findPlaceholderFaults(member, [...at, key])
    if (!Object.hasOwn(placeholders, key)) return [unknownField([...at, key], Object.keys(placeholders))]
    const parsed = placeholders[key as keyof typeof placeholders].safeParse(member)
    return parsed.success ? [] : [invalid([...at, key], parsed.error.issues[0]?.message ?? 'must be a value')]
  })
}
