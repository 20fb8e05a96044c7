import { dataKey, type Node } from './node.ts'
import type { Parts } from './parts.ts'

/** With so many situations that the same data have, no more are compared. */
const maxCompared = 100

/** The situations of a list that wait for their exploration. Those of one step wait together, so that equal data unite. */
export class Frontier {
  readonly #shipments: Parts
  /** By step, those that have not entered it first: by their data. */
  readonly #waiting = new Map<number, Map<string, Node[]>>()
  #taken: Node[] = []

  constructor(shipments: Parts) {
    this.#shipments = shipments
  }

  add(node: Node): void {
    const rank = 2 * node.step + (node.entered ? 1 : 0)
    const key = dataKey(node)
    const ranked = this.#waiting.get(rank) ?? new Map<string, Node[]>()
    this.#waiting.set(rank, ranked)
    ranked.set(key, this.#with(ranked.get(key) ?? [], node))
  }

  /** The next situation, of the earliest step. */
  take(): Node | undefined {
    if (this.#taken.length === 0) {
      const rank = Math.min(...this.#waiting.keys())
      this.#taken = [...(this.#waiting.get(rank)?.values() ?? [])].flat()
      this.#waiting.delete(rank)
    }
    return this.#taken.pop()
  }

  #with(nodes: readonly Node[], node: Node): Node[] {
    for (const other of nodes.slice(-maxCompared)) {
      const both = this.#unite(other, node)
      if (both === undefined) continue
      const rest = nodes.filter(each => each !== other)
      return this.#with(rest, both)
    }
    return [...nodes, node]
  }

  /** A situation with all that can follow on two; undefined if none has this, and no more. */
  #unite(one: Node, other: Node): Node | undefined {
    if (this.#covers(one, other)) return one
    if (this.#covers(other, one)) return other
    const isSame = isWithin(one.known, other.known) && isWithin(other.known, one.known)
    const parts = isSame ? this.#shipments.unite(one.parts, other.parts) : undefined
    return parts && { ...one, parts }
  }

  /** True if it has all states of the other, and no more of them are certain: whatever the other shows, this one shows too. */
  #covers(one: Node, other: Node): boolean {
    return isWithin(one.known, other.known) && this.#shipments.covers(one.parts, other.parts)
  }
}

function isWithin(known: ReadonlyMap<string, string>, more: ReadonlyMap<string, string>): boolean {
  return [...known].every(([role, state]) => more.get(role) === state)
}
