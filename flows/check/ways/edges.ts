import type { Edge } from '#flows'
import type { FlowDeclaration } from '#flows/declaration'
import { treeOf } from '../model/tree.ts'
import { explore } from './explore.ts'
import { listEnd } from './situation/explorer.ts'

/**
 * Every way between the steps of a flow, by all inputs and events, those of other programs included. An error is a way if
 * the step names it in `onError`; any other error fails the flow. Undefined for a flow that is too complex.
 */
export function edgesOf(flow: FlowDeclaration): readonly Edge[] | undefined {
  const edges = new Map<string, Edge & { readonly order: readonly number[] }>()
  const isComplete = explore(
    flow,
    { others: true },
    {
      edge: (step, cause, next) => {
        const edge = { step: nameOf(flow, step), cause, next: nameOf(flow, next), order: [step, next] }
        edges.set([step, cause, next].join(' '), edge)
      },
    },
  )
  if (!isComplete) return undefined
  return [...edges.values()]
    .toSorted((a, b) => compare(a.order, b.order) || a.cause.localeCompare(b.cause))
    .map(({ step, cause, next }) => ({ step, cause, next }))
}

function nameOf(flow: FlowDeclaration, index: number): string {
  return index === listEnd ? 'done' : (treeOf(flow)[index]?.step.name ?? 'end')
}

function compare([step = 0, next = 0]: readonly number[], [otherStep = 0, otherNext = 0]: readonly number[]): number {
  return step - otherStep || next - otherNext
}
