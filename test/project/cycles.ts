/** Who leads to whom. */
export type Graph = ReadonlyMap<string, readonly string[]>

/** A way round that leads back to its start, or undefined. */
export function cycleOf(graph: Graph): string[] | undefined {
  const finished = new Set<string>()
  const visit = (node: string, path: string[]): string[] | undefined => {
    const start = path.indexOf(node)
    if (start >= 0) return [...path.slice(start), node]
    if (finished.has(node)) return undefined
    for (const next of graph.get(node) ?? []) {
      const found = visit(next, [...path, node])
      if (found) return found
    }
    finished.add(node)
    return undefined
  }
  for (const node of graph.keys()) {
    const found = visit(node, [])
    if (found) return found
  }
  return undefined
}
