import { kindOf, pathOfPoint, sentBy } from '#flows'
import type { Source, Step } from '#flows/declaration'
import type { FieldPath } from '../fault.ts'
import { allComparisons } from '../model/conditions.ts'
import { readSource } from '../model/source.ts'

/** A path that a step reads, and its place below the step. */
export interface PathPlace {
  readonly path: string
  readonly at: FieldPath
}

/** Every path of a step itself: in its condition, its value and its end. */
export function allPaths(step: Step): PathPlace[] {
  const sent = sentBy(step)
  const end = kindOf(step).end(step)
  const point = typeof end === 'object' && end !== null ? pathOfPoint(end) : undefined
  return [
    ...allComparisons(step.when).map(([path]) => ({ path, at: ['when', path] })),
    ...('switch' in step
      ? step.switch.flatMap(({ when }, index) =>
          allComparisons(when).map(([path]) => ({ path, at: ['switch', index, 'when', path] })),
        )
      : []),
    ...('forEach' in step ? [{ path: step.forEach, at: ['forEach'] }] : []),
    ...(sent === undefined ? [] : pathsInSource(sent, ['with' in step ? 'with' : 'request'])),
    ...(point === undefined ? [] : [{ path: point, at: ['window' in step ? 'window' : 'sleep'] }]),
  ]
}

function pathsInSource(source: Source, at: FieldPath): PathPlace[] {
  const read = readSource(source)
  if (read.kind === 'from') return [{ path: read.path, at: [...at, 'from'] }]
  if (read.kind === 'merge') return read.parts.flatMap((part, index) => pathsInSource(part, [...at, 'merge', index]))
  if (read.kind === 'list') return read.members.flatMap((part, index) => pathsInSource(part, [...at, index]))
  if (read.kind === 'value') return []
  return Object.entries(read.fields).flatMap(([name, part]) => pathsInSource(part, [...at, name]))
}
