import type { Cause } from '#flows'
import type { PlacedList, PlacedStep } from '../../model/tree.ts'
import type { Node, Origin, Way } from './node.ts'
import type { WayParts } from './ways.ts'

/** Stands for the end of a list in a block, where an edge leads to no step. */
export const listEnd = -1

/** Receives the situations and ways of an exploration. */
export interface Visitor {
  /** Called for a situation in which the step has begun. */
  entered?(node: Node): void
  /** @param next the index of a step, their number for the end of the flow, or `listEnd` */
  edge?(step: number, cause: Cause, next: number): void
  /** A step begins after another one was left, with only left out steps between. The number of steps stands for the end. */
  arrived?(origin: Origin, step: number): void
  /** The flow has completed, or the item of a list or a round has. */
  completed?(node: Node, last: number, list: PlacedList): void
}

/** The ways out of a list. */
export interface Region {
  /** The situations after its last step. */
  readonly ends: Node[]
  /** Codes that climb out of it. */
  readonly climbs: (Extract<Way, { kind: 'climb' }> & { readonly from: PlacedStep })[]
  /** The situations inside of it. */
  readonly inside: Node[]
}

/** What the kinds of blocks need of the exploration around them. */
export interface Explorer {
  readonly parts: WayParts
  readonly visitor: Visitor
  readonly tracksOrigins: boolean
  /** The ways out of a list that begins in this situation. */
  list(list: PlacedList, node: Node): Region
  /** The situations after another program has cancelled a shipment in this one, which is inside of a block. */
  lossesAround(node: Node, placed: PlacedStep): Iterable<Node>
  /** The situation at a later place. */
  move(node: Node, step: number): Node
}
