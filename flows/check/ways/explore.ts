import type { Cause } from '#flows'
import type { FlowDeclaration, Step } from '#flows/declaration'
import { uidsOf } from '../model/booking.ts'
import { evaluateOn } from '../model/conditions.ts'
import { isCall, isWait } from '../model/flow.ts'
import { Exits } from './exits.ts'
import { JointStates } from './situation/jointStates.ts'
import { type Ahead, moveTo, type Node, type Origin, readAhead, toKey } from './situation/node.ts'
import { Values, without } from './situation/values.ts'

/** The highest number of situations that are explored. */
export const maxNodes = 200_000

/** Receives the situations and ways of an exploration. */
export interface Visitor {
  /** Called for a situation in which the step has begun. `first` is true for the one in which it begins. */
  entered?(node: Node, first: boolean): void
  edge?(step: number, cause: Cause, next: number): void
  /** A step begins after another one was left, with only left out steps between. The number of steps stands for the end. */
  arrived?(origin: Origin, step: number): void
  /** The flow has completed. */
  completed?(node: Node, last: number): void
}

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

class Exploration {
  readonly #flow: FlowDeclaration
  readonly #visitor: Visitor
  readonly #joints: JointStates
  readonly #values: Values
  readonly #exits: Exits
  readonly #ahead: readonly Ahead[]
  readonly #seen = new Set<string>()
  readonly #open: Node[] = []
  readonly #origins: boolean

  constructor(flow: FlowDeclaration, { others, origins = false }: ExploreOptions, visitor: Visitor) {
    this.#flow = flow
    this.#visitor = visitor
    this.#origins = origins
    this.#joints = new JointStates(receivingUids(flow), others)
    this.#values = new Values(flow)
    this.#exits = new Exits(flow, this.#joints, this.#values)
    this.#ahead = readAhead(flow)
  }

  run(): boolean {
    const none = new Map<string, string>()
    this.#add({
      step: 0,
      entered: false,
      joint: this.#joints.of([]),
      roles: none,
      freed: new Set(),
      results: none,
      values: none,
      known: none,
    })
    for (let node = this.#open.pop(); node; node = this.#open.pop()) {
      if (this.#seen.size > maxNodes) return false
      this.#visit(node)
    }
    return true
  }

  #add(node: Node): void {
    const key = toKey(node)
    if (this.#seen.has(key)) return
    this.#seen.add(key)
    this.#open.push(node)
  }

  #visit(node: Node): void {
    const step = this.#flow.steps[node.step]
    if (step === undefined) return
    if (node.entered) {
      this.#events(node)
      this.#leave(node, step)
      return
    }
    const truth = evaluateOn(step.when, key => this.#values.valueOf(node, key))
    if (typeof truth === 'object') this.#split(node, truth.needs)
    else if (truth) this.#enter(node)
    else this.#go(without(node, step, '!left out'), 'skipped', node.step + 1)
  }

  #split(node: Node, key: string): void {
    for (const known of this.#values.split(node, key)) this.#add(known)
  }

  #enter(node: Node): void {
    const entered = { ...node, entered: true }
    if (node.origin) this.#visitor.arrived?.(node.origin, node.step)
    this.#visitor.entered?.(entered, true)
    this.#add(entered)
  }

  /** Events at the lockers can happen in every step. */
  #events(node: Node): void {
    for (const joint of this.#joints.next(node.joint)) {
      const moved = { ...node, joint }
      this.#visitor.entered?.(moved, false)
      this.#add(moved)
    }
  }

  #leave(node: Node, step: Step): void {
    for (const way of this.#exits.from(node, step)) {
      if (way.kind === 'on') this.#go(way.node, way.cause, way.next)
      else if (way.kind === 'aside') this.#visitor.edge?.(node.step, way.cause, way.next)
      else if (way.kind === 'released') this.#visitor.completed?.(way.node, node.step)
      else this.#split(node, way.path)
    }
  }

  #go(node: Node, cause: Cause, next: number): void {
    this.#visitor.edge?.(node.step, cause, next)
    const left = this.#origins && cause !== 'skipped' ? { ...node, origin: { step: node.step, cause } } : node
    if (next === this.#flow.steps.length) {
      if (left.origin) this.#visitor.arrived?.(left.origin, next)
      this.#visitor.completed?.(node, node.step)
    } else this.#add(moveTo(left, next, this.#ahead[next] as Ahead))
  }
}

/** Shipments whose receiver the flow sets, by an update or by a call. */
function receivingUids(flow: FlowDeclaration): Set<string> {
  const uids = uidsOf(flow)
  const received = flow.steps.flatMap(step => {
    if (isCall(step) && step.call === 'SetShipmentReceiver') return [...uids.values()]
    const isAssigned = isWait(step) && step.completedBy?.update === 'assignReceiver'
    return isAssigned ? (uids.get(step.completedBy.role) ?? []) : []
  })
  return new Set(received.flatMap(each => [...each]))
}
