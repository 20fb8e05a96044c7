import type { FlowDeclaration } from '#flows/declaration'
import { explore } from './explore.ts'
import type { Cause } from './node.ts'

/** A way from one step to another, or to `end`. */
export interface Edge {
  readonly step: string
  readonly cause: Cause
  readonly next: string
}

/**
 * Every way between the steps of a flow, by all inputs and events, those of other programs included. Undefined for a flow
 * that is too complex.
 */
export function edgesOf(flow: FlowDeclaration): readonly Edge[] | undefined {
  const edges = new Map<string, Edge & { readonly order: readonly number[] }>()
  const nameOf = (index: number) => flow.steps[index]?.name ?? 'end'
  const isComplete = explore(
    flow,
    { others: true },
    {
      edge: (step, cause, next) => {
        const edge = { step: nameOf(step), cause, next: nameOf(next) }
        edges.set(JSON.stringify(edge), { ...edge, order: [step, next] })
      },
    },
  )
  if (!isComplete) return undefined
  return [...edges.values()]
    .toSorted((a, b) => compare(a.order, b.order) || a.cause.localeCompare(b.cause))
    .map(({ step, cause, next }) => ({ step, cause, next }))
}

function compare([step = 0, next = 0]: readonly number[], [otherStep = 0, otherNext = 0]: readonly number[]): number {
  return step - otherStep || next - otherNext
}
