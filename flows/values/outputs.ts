import type { Output, Outputs } from '../declaration/outputs.ts'
import type { Json } from '../declaration/sources.ts'
import { evaluate } from './evaluate.ts'
import { pathsInWhen, readPath, type Values } from './paths.ts'

/** The outputs of a flow. A value that does not exist is null. */
export function resolveOutputs(outputs: Outputs, values: Values): Record<string, Json> {
  return Object.fromEntries(Object.entries(outputs).map(([field, output]) => [field, read(output, values) ?? null]))
}

function read(output: Output, values: Values): Json | undefined {
  if (typeof output === 'string') return readPath(values, output)
  if ('first' in output) return output.first.map(path => readPath(values, path)).find(isGiven)
  return evaluate(output.when, values) ? readPath(values, output.from) : undefined
}

/** An optional field may be null instead of absent, as `or` of a source has it. */
function isGiven(value: Json | undefined): boolean {
  return value !== undefined && value !== null
}

/** Every path that the outputs read. The name of a step stands for its whole output. */
export function pathsInOutputs(outputs: Outputs): string[] {
  return Object.values(outputs).flatMap(output => {
    if (typeof output === 'string') return [output]
    return 'first' in output ? output.first : [output.from, ...pathsInWhen(output.when)]
  })
}
