import type { Edge } from '#flows'
import type { FlowDeclaration } from '#flows/declaration'
import { shapesOf, toLabel, toNode } from './diagram.ts'
import { toNodeId } from './diagramId.ts'
import { edgesOf } from './ways/edges.ts'

const seenStyle = 'stroke:#2e7d32'
const unseenStyle = 'stroke:#c62828,stroke-width:3px,color:#c62828'

/** The end of a step by a cause that completes no step. */
const early = ['ask.cancel', 'timeout.cancel', 'cancel', 'cancelledOutside']

/**
 * A Mermaid picture of every edge of a flow, with the unseen ones red. Causes that lead from one step to another, and are
 * seen alike, share an arrow.
 */
export function edgeDiagram(flow: FlowDeclaration, isSeen: (edge: Edge) => boolean): string {
  const arrows = Map.groupBy(edgesOf(flow) ?? [], edge => {
    // The end of a list leads back to its block.
    const to =
      edge.next === 'done'
        ? `done_${toNodeId(edge.step)}`
        : edge.next !== 'end'
          ? toNodeId(edge.next)
          : early.includes(edge.cause)
            ? 'ended'
            : 'completed'
    return JSON.stringify([toNodeId(edge.step), to, isSeen(edge)])
  })
  const lines = [...arrows].map(([key, edges], index) => {
    const [from, to, seen] = JSON.parse(key) as [string, string, boolean]
    const causes = edges.map(({ cause }) => cause.replace(/^(answer|error):/, '')).join(', ')
    return `  ${from} -->|${toLabel(causes)}| ${to}\n  linkStyle ${index + 1} ${seen ? seenStyle : unseenStyle}`
  })
  const first = toNode(flow.steps[0])
  const shapes = new Set(shapesOf(flow))
  return ['```mermaid', 'flowchart LR', `  start([${flow.name}]) --> ${first}`, ...shapes, ...lines, '```'].join('\n')
}
