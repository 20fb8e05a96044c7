import type { FlowDeclaration } from '#flows/declaration'
import { type Finding, suggest } from '../fault.ts'
import { outputConditions, outputSources } from '../model/outputs.ts'
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
  const taken = Object.keys(flow.outputs ?? {}).filter(name => resultFields.includes(name))
  return [
    ...taken.map(name => ({
      at: ['outputs', name],
      code: 'NameTaken' as const,
      text: 'must not be a field of every result.',
    })),
    ...outputSources(flow).flatMap(({ source, at }) => check(source, at)),
    ...outputConditions(flow).flatMap(({ source, at }) => pathFindings(scope, source, at)),
  ]
}
