import type { FlowDeclaration } from '#flows/declaration'
import { type Finding, suggest } from '../fault.ts'
import { scopeAt } from '../model/scope.ts'
import { pathFindings } from './sources.ts'

/** The fields of every result, which an output must not overwrite. */
const resultFields = ['flow', 'caseNo', 'outcome', 'shipments', 'leftOver']

/** Findings of the outputs of a flow. An output that some ways do not have is null. */
export function outputFindings(flow: FlowDeclaration): Finding[] {
  const scope = scopeAt(flow, flow.steps.length)
  const check = (source: string, at: readonly (string | number)[]): Finding[] => {
    if (source.includes('.')) return pathFindings(scope, source, at)
    if (scope.outputs.has(source)) return []
    const names = [...scope.outputs.keys()]
    const text = `must be a path, or the name of a step with an output, "${source}" is not one.${suggest(source, names)}`
    return [{ at, code: 'UnknownPath', text }]
  }
  return Object.entries(flow.outputs ?? {}).flatMap(([name, output]) => [
    ...(resultFields.includes(name)
      ? [{ at: ['outputs', name], code: 'NameTaken' as const, text: 'must not be a field of every result.' }]
      : []),
    ...(typeof output === 'string'
      ? check(output, ['outputs', name])
      : output.first.flatMap((source, index) => check(source, ['outputs', name, 'first', index]))),
  ])
}
