/** The other nodes of a picture, and the words of Mermaid that cannot be the id of a node. */
const taken = [
  ...['start', 'completed', 'expired', 'ended'],
  ...['call', 'class', 'classDef', 'click', 'default', 'flowchart', 'graph', 'href', 'interpolate', 'linkStyle'],
  ...['style', 'subgraph'],
]

/** The id of a step in a picture of Mermaid. No name of a step ends with the underscore. */
export function toNodeId(step: string): string {
  return taken.includes(step) ? `${step}_` : step
}
