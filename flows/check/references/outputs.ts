import { pathsInWhen } from '#flows'
import type { FlowDeclaration } from '#flows/declaration'
import { type FieldPath, type Finding, suggest } from '../fault.ts'
import { scopeAt } from '../model/scope.ts'
import { whenFindings } from './conditions.ts'
import { pathFindings } from './values/findings.ts'

/** The fields of every result, which an output must not overwrite. */
const resultFields = ['flow', 'caseNo', 'outcome', 'shipments', 'leftOver']

/** A place of the outputs that reads a value. */
interface OutputPath {
  /** A path, or the name of a step whose whole output it is. */
  readonly source: string
  readonly at: FieldPath
}

/** Findings of the outputs of a flow. An output that some paths do not have is null. */
export function outputFindings(flow: FlowDeclaration): Finding[] {
  const scope = scopeAt(flow, Number.POSITIVE_INFINITY)
  const check = (source: string, at: readonly (string | number)[]): Finding[] => {
    if (source.includes('.')) return pathFindings(scope, source, at)
    if (scope.outputs.has(source)) return []
    const names = [...scope.outputs.keys()]
    const text = `must be a path, or the name of a step with an output, got "${source}".${suggest(source, names)}`
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
    ...Object.entries(flow.outputs ?? {}).flatMap(([name, output]) =>
      typeof output === 'string' || 'first' in output
        ? []
        : whenFindings(scope, output.when, ['outputs', name, 'when']),
    ),
  ]
}

/** Every value that the outputs of a flow read, without those of their conditions. */
export function outputSources({ outputs = {} }: FlowDeclaration): OutputPath[] {
  return Object.entries(outputs).flatMap(([name, output]): OutputPath[] => {
    const at = ['outputs', name]
    if (typeof output === 'string') return [{ source: output, at }]
    if ('first' in output) return output.first.map((source, index) => ({ source, at: [...at, 'first', index] }))
    return [{ source: output.from, at: [...at, 'from'] }]
  })
}

/** Every path that the conditions of outputs read. */
export function outputConditions({ outputs = {} }: FlowDeclaration): string[] {
  return Object.values(outputs).flatMap(output =>
    typeof output === 'string' || 'first' in output ? [] : pathsInWhen(output.when),
  )
}
