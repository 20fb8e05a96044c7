import { allSteps, type Cause } from '#flows'
import type { FlowDeclaration } from '#flows/declaration'
import { uidsOf } from '../model/booking.ts'
import { evaluateOn } from '../model/conditions.ts'
import { isCall } from '../model/flow.ts'
import { type PlacedList, type PlacedStep, treeOf } from '../model/tree.ts'
import { exploreBlock } from './blocks.ts'
import { Exits } from './exits.ts'
import { type Explorer, listEnd, type Region, type Visitor } from './situation/explorer.ts'
import { Frontier } from './situation/frontier.ts'
import { type Ahead, loopAround, moveTo, type Node, readAhead, toKey, type Way } from './situation/node.ts'
import { Parts } from './situation/parts.ts'
import { Values, withResult } from './situation/values.ts'
import { toEnd, type WayParts } from './situation/ways.ts'

/** The highest number of situations that are explored. */
export const maxNodes = 200_000

export interface ExploreOptions {
  /** Other programs set receivers, too. */
  readonly others: boolean
  /** Tells situations apart by the step that was left last, for `arrived`. */
  readonly origins?: boolean
}

/**
 * Visits every situation that a flow can come into, by all inputs, events at lockers, answers, errors and passed windows.
 * @returns false if there are too many
 */
export function explore(flow: FlowDeclaration, options: ExploreOptions, visitor: Visitor): boolean {
  return new Exploration(flow, options, visitor).run()
}

class TooMany extends Error {}

class Exploration implements Explorer {
  readonly visitor: Visitor
  readonly parts: WayParts
  readonly #flow: FlowDeclaration
  readonly #tree: readonly PlacedStep[]
  readonly #values: Values
  readonly #exits: Exits
  readonly #ahead: readonly Ahead[]
  readonly #regions = new Map<string, Region>()
  readonly #origins: boolean
  #count = 0

  constructor(flow: FlowDeclaration, { others, origins = false }: ExploreOptions, visitor: Visitor) {
    this.#flow = flow
    this.#tree = treeOf(flow)
    this.visitor = visitor
    this.#origins = origins
    this.#values = new Values(flow)
    this.#exits = new Exits(flow, new Parts(receivingUids(flow), others), this.#values)
    this.parts = this.#exits.parts
    this.#ahead = readAhead(flow)
  }

  run(): boolean {
    const outer = this.#tree[0]?.list
    if (outer === undefined) return true
    const none = new Map<string, string>()
    const start = { step: 0, entered: false, parts: [], roles: none, freed: new Set<string>() }
    try {
      const { climbs } = this.list(outer, { ...start, results: none, values: none, known: none })
      for (const { from, cause, isSilent } of climbs) {
        if (!isSilent) this.visitor.edge?.(from.index, cause, this.#tree.length)
      }
      return true
    } catch (error) {
      if (error instanceof TooMany) return false
      throw error
    }
  }

  list(list: PlacedList, entry: Node): Region {
    const key = `${list.from} ${toKey(entry)}`
    const known = this.#regions.get(key)
    if (known !== undefined) return known
    const region: Region = { ends: [], climbs: [], inside: [] }
    this.#regions.set(key, region)
    new Walk(this, list, region).run(entry)
    return region
  }

  move(node: Node, step: number): Node {
    return moveTo(node, step, this.#ahead[step] as Ahead)
  }

  /** The situation at the end of a list. In a loop, its steps can come again. */
  leave(node: Node, list: PlacedList): Node {
    return moveTo(node, list.to, this.#ahead[loopAround({ list }) ?? list.to] as Ahead)
  }

  count(): void {
    this.#count++
    if (this.#count > maxNodes) throw new TooMany()
  }

  stepAt(index: number): PlacedStep | undefined {
    return this.#tree[index]
  }

  get size(): number {
    return this.#tree.length
  }

  get values(): Values {
    return this.#values
  }

  get tracksOrigins(): boolean {
    return this.#origins
  }

  waysFrom(node: Node, placed: PlacedStep): Iterable<Way> {
    return placed.lists.length === 0 ? this.#exits.from(node, placed) : this.#block(node, placed)
  }

  lossesAround(node: Node, placed: PlacedStep): Iterable<Node> {
    return this.#exits.lossesAround(node, placed)
  }

  *#block(node: Node, placed: PlacedStep): Iterable<Way> {
    yield* exploreBlock(this, node, placed)
    if (placed.list.holder === undefined) yield toEnd(this.parts, 'cancel')
  }

  get flow(): FlowDeclaration {
    return this.#flow
  }
}

/** The exploration of one list. */
class Walk {
  readonly #all: Exploration
  readonly #list: PlacedList
  readonly #region: Region
  readonly #open: Frontier

  constructor(all: Exploration, list: PlacedList, region: Region) {
    this.#all = all
    this.#list = list
    this.#region = region
    this.#open = new Frontier(all.parts.shipments)
  }

  run(entry: Node): void {
    this.#add(entry)
    for (let node = this.#open.take(); node; node = this.#open.take()) {
      const placed = node.step < this.#list.to ? this.#all.stepAt(node.step) : undefined
      if (placed === undefined) this.#region.ends.push(node)
      else this.#visit(node, placed)
    }
  }

  #add(node: Node): void {
    this.#all.count()
    this.#open.add(node)
  }

  #visit(node: Node, placed: PlacedStep): void {
    const { step } = placed
    if (node.entered) {
      this.#leave(node, placed)
      return
    }
    const { values } = this.#all
    const truth = evaluateOn(step.when, key => values.valueOf(node, key))
    if (typeof truth === 'object') this.#split(node, truth.needs)
    else if (truth) this.#enter(node)
    else {
      const inside = allSteps([step])
      const after = inside.reduce((left, each) => withResult(left, each, '!left out'), node)
      this.#go(after, 'skipped', placed.end)
    }
  }

  #split(node: Node, key: string): void {
    for (const known of this.#all.values.split(node, key)) this.#add(known)
  }

  #enter(node: Node): void {
    const { visitor } = this.#all
    const entered = { ...node, entered: true }
    if (node.origin) visitor.arrived?.(node.origin, node.step)
    visitor.entered?.(entered)
    this.#region.inside.push(entered)
    this.#add(entered)
  }

  #leave(node: Node, placed: PlacedStep): void {
    for (const way of this.#all.waysFrom(node, placed)) {
      if (way.kind === 'on') this.#go({ ...way.node, step: placed.index }, way.cause, way.next)
      else if (way.kind === 'aside') this.#all.visitor.edge?.(node.step, way.cause, way.next)
      else if (way.kind === 'climb') this.#region.climbs.push({ from: placed, ...way })
      else this.#split(node, way.path)
    }
  }

  #go(node: Node, cause: Cause, next: number): void {
    const { visitor, size, tracksOrigins } = this.#all
    const { holder, to } = this.#list
    const isFlowEnd = next > to || (holder === undefined && next === to)
    const isListEnd = !isFlowEnd && next >= to
    visitor.edge?.(node.step, cause, isFlowEnd ? size : isListEnd ? listEnd : next)
    const left = tracksOrigins && cause !== 'skipped' ? { ...node, origin: { step: node.step, cause } } : node
    if (isFlowEnd) {
      if (left.origin) visitor.arrived?.(left.origin, size)
      visitor.completed?.(node, node.step, this.#list)
    } else this.#add(isListEnd ? this.#all.leave(left, this.#list) : this.#all.move(left, next))
  }
}

/** Shipments whose receiver the flow sets by a call. */
function receivingUids(flow: FlowDeclaration): Set<string> {
  const uids = uidsOf(flow)
  const setsReceiver = allSteps(flow.steps).some(step => isCall(step) && step.call === 'SetShipmentReceiver')
  return new Set(setsReceiver ? [...uids.values()].flatMap(each => [...each]) : [])
}
