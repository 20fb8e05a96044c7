import type { ForEachStep, Step } from '#flows/declaration'
import type { Finding } from '../../../check/fault.ts'
import { findMember, itemOf, scopeInside } from '../../../check/model/scope.ts'
import { checkPaths, pathFindings } from '../../../check/references/values/findings.ts'
import { type StepContext, windowFindings } from '../../../check/references/values/windows.ts'

export function findings(context: StepContext, step: ForEachStep<Step>): Finding[] {
  const { at, flow, placed } = context
  const inside = { scope: scopeInside(flow, placed), present: new Set<string>() }
  return [
    ...windowFindings(context, step),
    ...listFindings(context, step),
    ...Object.entries(step.collect ?? {}).flatMap(([name, source]) =>
      checkPaths(inside, source, [...at, 'collect', name]),
    ),
  ]
}

function listFindings({ at, scope }: StepContext, { forEach: path, item, key }: ForEachStep<Step>): Finding[] {
  const member = findMember(scope, path)
  if ('unknown' in member) return pathFindings(scope, path, [...at, 'forEach'])
  const { type } = member
  if (type.kind !== 'list') {
    return [{ at: [...at, 'forEach'], code: 'SourceType', text: `must be a list, but "${path}" is none.` }]
  }
  if (scope.outputs.has(item) || scope.roles.has(item)) {
    const text = `must be another name, since a step or a role before is "${item}".`
    return [{ at: [...at, 'item'], code: 'NameTaken', text }]
  }
  const fields = itemOf(scope, path)
  if (key === undefined || (fields === undefined && type.of.type.kind === 'any')) return []
  const field = fields?.[key]
  if (field !== undefined && ['text', 'uid', 'choice'].includes(field.type.kind)) return []
  const text = `must be a text field of the items, but "${item}.${key}" is ${field === undefined ? 'unknown' : 'none'}.`
  return [{ at: [...at, 'key'], code: 'KeyNotText', text }]
}
