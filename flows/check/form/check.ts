import type { z } from 'zod'
import type { FlowDeclaration } from '#flows/declaration'
import { type FieldPath, type Finding, valueAt } from '../fault.ts'
import { isObject } from '../model/conditions.ts'
import { declaration } from './declaration.ts'
import {
  invalid,
  isStep,
  missing,
  pointKindIn,
  replaced,
  reserved,
  sourceFindings,
  stepKindsIn,
  unknownField,
  unknownOperation,
} from './findings.ts'
import { points } from './parts/points.ts'
import { sentences } from './parts/sentences.ts'
import { stepKinds } from './steps.ts'

export type FormResult =
  | { readonly ok: true; readonly flow: FlowDeclaration }
  | { readonly ok: false; readonly findings: readonly Finding[] }

/** Checks the form of a value: its keys, and the types of their values. Never throws. */
export function checkForm(value: unknown): FormResult {
  const parsed = declaration.safeParse(value)
  const prototypes = findPrototypes(value, [])
  if (parsed.success && prototypes.length === 0) return { ok: true, flow: parsed.data }
  const findings = (parsed.error?.issues ?? []).flatMap(issue => toFindings(issue, value, []))
  return { ok: false, findings: withoutDuplicates([...findings, ...prototypes]) }
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
  const beside = issue.message === sentences.source ? sourceFindings(value, at) : undefined
  if (beside !== undefined) return beside
  // A union reports a single variant if the value lacks fields of all others.
  if (isStep(at) && stepKindsIn(value).length > 1) return kindFindings(value, at)
  if (issue.code === 'unrecognized_keys') return issue.keys.map(key => unknownField([...at, key], root))
  if (issue.code === 'invalid_key') return [invalid(at, issue.issues[0]?.message ?? issue.message)]
  if (value === undefined && at.length > 0) return [missing(at)]
  if (isStep(at.slice(0, -1)) && at.at(-1) === 'book') return [unknownOperation(at, value)]
  if (issue.code === 'invalid_union') return unionFindings(issue, root, at)
  return [invalid(at, issue.message, value)]
}

/** The problem of the variant that the value is meant to be. */
function unionFindings(issue: z.core.$ZodIssueInvalidUnion, root: unknown, at: FieldPath): Finding[] {
  if (isStep(at)) return stepFindings(issue, root, at)
  const value = valueAt(root, at)
  const inside = isStepEnd(at) ? pointFindings(root, at) : undefined
  if (inside !== undefined) return inside
  const meant = issue.errors.filter(variant => variant.every(({ path, code }) => path.length > 0 || isInside(code)))
  const [only] = meant.toSorted((a, b) => matchDepth(b) - matchDepth(a))
  if (typeof value === 'string' && isStepEnd(at)) return [invalid(at, sentences.duration, value)]
  if (typeof value === 'string' && only?.every(({ code }) => code === 'custom')) {
    return only.flatMap(inner => toFindings(inner, root, at))
  }
  if (only === undefined || !isObject(value) || hasOnlyUnknownKeys(value, only))
    return [invalid(at, issue.message, value)]
  return only.flatMap(inner => toFindings(inner, root, at))
}

/** True if the value has none of the keys of the variant. */
function hasOnlyUnknownKeys(value: object, variant: readonly z.core.$ZodIssue[]): boolean {
  const unknown = variant.flatMap(issue =>
    issue.code === 'unrecognized_keys' && issue.path.length === 0 ? issue.keys : [],
  )
  return unknown.length > 0 && Object.keys(value).every(key => unknown.includes(key))
}

const isInside = (code: string | undefined) =>
  code === 'unrecognized_keys' || code === 'custom' || code === 'invalid_union'

/** The depth of the value up to which a variant fits. */
function matchDepth(variant: readonly z.core.$ZodIssue[]): number {
  return Math.min(
    ...variant.map(({ path, code }) =>
      code === 'unrecognized_keys' ? path.length + 0.5 : path.length + (code === 'custom' ? 0.25 : 1),
    ),
  )
}

function isStepEnd(at: FieldPath): boolean {
  return isStep(at.slice(0, -1)) && ['window', 'sleep'].includes(String(at.at(-1)))
}

/** The problems of a point in time, by the key that it has. Undefined for another value. */
function pointFindings(root: unknown, at: FieldPath): Finding[] | undefined {
  const value = valueAt(root, at)
  if (!isObject(value)) return undefined
  if (Object.hasOwn(value, 'until') && at.at(-1) === 'sleep') {
    const rest = Object.keys(value).filter(key => key !== 'until')
    if (rest.length > 0) return rest.map(key => unknownField([...at, key], root))
    return pointFindings(root, [...at, 'until']) ?? [invalid([...at, 'until'], sentences.point)]
  }
  const kind = pointKindIn(value)
  if (kind === undefined) return undefined
  return points[kind].safeParse(value).error?.issues.flatMap(issue => toFindings(issue, root, at))
}

function stepFindings(issue: z.core.$ZodIssueInvalidUnion, root: unknown, at: FieldPath): Finding[] {
  const value = valueAt(root, at)
  const [kind, other] = stepKindsIn(value)
  if (kind !== undefined && other === undefined) {
    return (issue.errors[stepKinds.indexOf(kind)] ?? []).flatMap(inner => toFindings(inner, root, at))
  }
  return kindFindings(value, at)
}

/** The findings of a step with several kinds, or none. */
function kindFindings(value: unknown, at: FieldPath): Finding[] {
  const words = [...reserved, ...Object.keys(replaced)]
  const later = isObject(value) ? words.filter(word => Object.hasOwn(value, word)) : []
  if (later.length > 0) return later.map(word => unknownField([...at, word], undefined))
  const kinds = stepKindsIn(value)
  const text = kinds.length > 0 ? `must have one of ${kinds.join(' and ')}, not both.` : `${sentences.step}.`
  return [{ at, code: 'StepKind', text }]
}

function withoutDuplicates(findings: readonly Finding[]): Finding[] {
  return [...new Map(findings.map(finding => [JSON.stringify(finding), finding])).values()]
}
