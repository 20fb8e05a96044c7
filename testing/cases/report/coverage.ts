import type { Edge, FlowDeclaration } from '#flows'
import { edgesOf } from '#flows/check'
import type { CaseResult } from '../run/run.ts'

/** The paths of one flow that cases have taken. */
export interface Coverage {
  readonly flow: FlowDeclaration
  /** Every edge, in the order of the steps; undefined for a flow that is too complex to be explored. */
  readonly edges: readonly Edge[] | undefined
  /** The number of cases that took each edge, by `toEdgeKey`. */
  readonly taken: ReadonlyMap<string, number>
  readonly unseen: readonly Edge[]
  /** Taken, but not found by the exploration: a defect of the checker. */
  readonly unknown: readonly Edge[]
}

/**
 * The coverage of each flow that has a case, in the order of the results.
 * @param own names of flows that are covered too: without a case, none of their paths is taken
 */
export function coverageOf(
  results: readonly CaseResult[],
  flows: Readonly<Record<string, FlowDeclaration>>,
  own: readonly string[] = [],
): Coverage[] {
  const names = new Set([...results.map(({ flow }) => flow), ...own])
  return [...names].flatMap(name => {
    const flow = flows[name]
    const ofFlow = results.filter(result => result.flow === name)
    return flow === undefined ? [] : [coverageOfFlow(flow, ofFlow)]
  })
}

function coverageOfFlow(flow: FlowDeclaration, results: readonly CaseResult[]): Coverage {
  const edges = edgesOf(flow)
  const taken = new Map<string, number>()
  const byKey = new Map<string, Edge>()
  for (const result of results) {
    const own = new Map(result.edges.map(edge => [toEdgeKey(edge), edge]))
    for (const [key, edge] of own) {
      byKey.set(key, edge)
      taken.set(key, (taken.get(key) ?? 0) + 1)
    }
  }
  return {
    flow,
    edges,
    taken,
    unseen: (edges ?? []).filter(edge => !taken.has(toEdgeKey(edge))),
    unknown: findUnknown(edges, [...byKey.values()]),
  }
}

/** The edges that the exploration of their flow does not know; none for a flow that is too complex to be explored. */
export function findUnknown(explored: readonly Edge[] | undefined, taken: readonly Edge[]): readonly Edge[] {
  if (explored === undefined) return []
  const known = new Set(explored.map(toEdgeKey))
  return taken.filter(edge => !known.has(toEdgeKey(edge)))
}

export function toEdgeKey({ step, cause, next }: Edge): string {
  return `${step} ${cause} ${next}`
}
