import type { FlowDeclaration } from '#flows/declaration'
import type { FieldPath } from '../fault.ts'
import { allComparisons } from './conditions.ts'

/** A place of the outputs that reads a value. */
export interface OutputPath {
  /** A path, or the name of a step whose whole output it is. */
  readonly source: string
  readonly at: FieldPath
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
export function outputConditions({ outputs = {} }: FlowDeclaration): OutputPath[] {
  return Object.entries(outputs).flatMap(([name, output]) =>
    typeof output === 'string' || 'first' in output
      ? []
      : allComparisons(output.when).map(([source]) => ({ source, at: ['outputs', name, 'when', source] })),
  )
}
