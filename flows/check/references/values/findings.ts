// Findings that several checks share: unknown paths, and wrong types.
import type { Source } from '#flows/declaration'
import { type FieldPath, type Finding, findNearest } from '../../fault.ts'
import { findMember, type Scope, type UnknownMember } from '../../model/scope.ts'
import { readSource } from '../../model/source.ts'
import { casingsOf, describeType, fits, type Members, memberNamed, type ValueType } from '../../model/valueType.ts'

export interface SourceContext {
  readonly scope: Scope
  /** Paths that the condition of the step shows to be present. */
  readonly present: ReadonlySet<string>
}

/** The findings of paths alone, for a source whose target has no type. */
export function checkPaths(context: SourceContext, source: Source, at: FieldPath): Finding[] {
  const read = readSource(source)
  if (read.kind === 'from') return pathFindings(context.scope, read.path, [...at, 'from'])
  if (read.kind === 'list') return read.members.flatMap((member, index) => checkPaths(context, member, [...at, index]))
  if (read.kind === 'merge')
    return read.parts.flatMap((part, index) => checkPaths(context, part, [...at, 'merge', index]))
  if (read.kind === 'value') return textFindings(context.scope, source, at)
  return Object.entries(read.fields).flatMap(([name, member]) => checkPaths(context, member, [...at, name]))
}

/** A finding for a text that is the path of a value, such as `input.PupUid` without `from`. A text in `value` is meant as one. */
export function textFindings(
  scope: Scope,
  source: Source,
  at: FieldPath,
  toSource: (source: string) => string = source => source,
): Finding[] {
  if (typeof source !== 'string' || !source.includes('.') || 'unknown' in findMember(scope, source)) return []
  const [value, text] = [toSource(`{ from: ${source} }`), toSource(`{ value: ${source} }`)]
  const sentence = `must not be the text "${source}", which is a path. Write ${value} for the value, or ${text} for the text.`
  return [{ at, code: 'SourceType', text: sentence }]
}

/** A finding if the path leads nowhere. */
export function pathFindings(scope: Scope, path: string, at: FieldPath): Finding[] {
  const member = findMember(scope, path)
  if (!('unknown' in member)) return []
  const { names } = member
  const known = names.length > 0 ? ` Known: ${names.join(', ')}.` : ''
  const hint = isErrorOfStep(scope, path) ? ' Only a step whose onError has "continue" or { goTo } has an error.' : ''
  const place = at[0] === 'outputs' ? 'of the flow' : 'that exists before this step'
  const text = `must lead to a value ${place}, but "${path}" does not.${hint || suggestPath(scope, path, member) || known}`
  return [{ at, code: 'UnknownPath', text }]
}

/** Suggests the whole path, unless a later part of it is unknown too. */
function suggestPath(scope: Scope, path: string, { unknown, depth, names }: UnknownMember): string {
  const nearest = findNearest(unknown, names)
  if (nearest === undefined) return ''
  const parts = path.split('.')
  const known = [...parts.slice(0, depth), nearest]
  const whole = [...known, ...parts.slice(depth + 1)].join('.')
  return ` Did you mean "${'unknown' in findMember(scope, whole) ? known.join('.') : whole}"?`
}

function isErrorOfStep({ outputs }: Scope, path: string): boolean {
  const [head = '', field, ...rest] = path.split('.')
  return outputs.has(head) && field === 'error' && rest.length === 0
}

/** @param got the given value, as the end of a sentence */
export function wrongType(at: FieldPath, wanted: ValueType, got: string): Finding {
  return { at, code: 'SourceType', text: `must be ${describeType(wanted)}, but ${got}.` }
}

/** The finding of a path whose value has another type than its target. */
export function wrongPathType(at: FieldPath, path: string, given: ValueType, wanted: ValueType): Finding {
  return wrongType(at, wanted, `"${path}" is ${describeType(given)}`)
}

/** The finding of a path whose value does not fit. For an object, it names the field that is the reason. */
export function wrongField(at: FieldPath, path: string, given: ValueType, wanted: ValueType): Finding {
  if (given.kind !== 'object' || wanted.kind !== 'object') return wrongPathType(at, path, given, wanted)
  const [twice] = repeatedFields(at, path, given.fields, wanted.fields)
  if (twice !== undefined) return twice
  for (const [name, { type, optional }] of Object.entries(wanted.fields)) {
    const member = memberNamed(given.fields, name)
    if (!optional && (member === undefined || member.optional)) {
      const text = `must have the field ${name}: ${member ? `"${path}.${name}" may be absent` : `"${path}" has none`}.`
      return { at, code: 'SourceType', text }
    }
    if (member !== undefined && !fits(member.type, type)) return wrongField(at, `${path}.${name}`, member.type, type)
  }
  return wrongPathType(at, path, given, wanted)
}

/** A finding for each field that an object has in several casings. */
export function repeatedFields(at: FieldPath, path: string, given: Members, wanted: Members): Finding[] {
  return Object.keys(wanted).flatMap(name => {
    const casings = casingsOf(given, name)
    if (casings.length < 2) return []
    return [
      { at, code: 'SourceType', text: `must have the field ${name} once: "${path}" has ${casings.join(' and ')}.` },
    ]
  })
}
