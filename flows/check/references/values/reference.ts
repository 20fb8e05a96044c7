import type { Json } from '#flows/declaration'
import type { FieldPath, Finding } from '../../fault.ts'
import { findMember } from '../../model/scope.ts'
import { headOf } from '../../model/source.ts'
import { fits, type Member, typesIn, type ValueType } from '../../model/valueType.ts'
import { checkConstant, type Target } from './constants.ts'
import { pathFindings, type SourceContext, wrongField } from './findings.ts'

/** Checks a path, or its default, against the type of its target. */
export function checkReference(
  { scope, present }: SourceContext,
  { path, or }: { readonly path: string; readonly or: Json | undefined },
  { member, schema }: Target,
  at: FieldPath,
): Finding[] {
  const found = findMember(scope, path)
  if ('unknown' in found) return pathFindings(scope, path, [...at, 'from'])
  const place = [...at, 'from']
  const type = withPresent(found.type, path, present)
  if (!fits(type, member.type)) return [wrongField(place, path, type, member.type)]
  if (or !== undefined) return checkConstant(or, { member, ...(schema && { schema }) }, [...at, 'or'])
  if (found.optional && !member.optional && !present.has(path)) {
    const text = `must be given: "${path}" may be absent. Add "or", or the condition { present: true }.`
    return [{ at: place, code: 'SourceType', text }]
  }
  if (found.nullable && !member.optional && !member.nullable && !isShown(present, path)) {
    const text = `must be given: "${path}" may be null. Add "or", or a condition on the response, such as { present: true }.`
    return [{ at: place, code: 'SourceType', text }]
  }
  return []
}

/**
 * True if the condition of the step demands a value of the same output: which fields of a response are null together, only its
 * operation tells.
 */
function isShown(present: ReadonlySet<string>, path: string): boolean {
  const head = `${headOf(path)}.`
  return [...present].some(shown => shown.startsWith(head))
}

/** The type of the value at a path, with the fields that the condition of the step shows to be present. */
function withPresent(type: ValueType, path: string, present: ReadonlySet<string>): ValueType {
  const types = typesIn(type)
  if (types) return { kind: 'any', types: types.map(one => withPresent(one, path, present)) }
  if (type.kind !== 'object') return type
  const fields = Object.entries(type.fields).map(([name, member]): [string, Member] => {
    return [name, toPresentMember(member, `${path}.${name}`, present)]
  })
  return { kind: 'object', fields: Object.fromEntries(fields) }
}

/** The member at a path, under the condition of the step. A member that it shows to be present is neither absent nor null. */
export function toPresentMember(member: Member, path: string, present: ReadonlySet<string>): Member {
  const type = withPresent(member.type, path, present)
  const isOpen = !present.has(path)
  return { type, optional: member.optional && isOpen, nullable: member.nullable && isOpen }
}
