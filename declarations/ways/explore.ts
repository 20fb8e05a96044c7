import { canonicalJson, type StateCode, states } from '#contract/terms'
import type { Cause } from '#flows'
import type { AskStep, BookStep, FlowDeclaration, Step, WaitStep } from '#flows/declaration'
import { type FieldSource, fieldsOfBooking, uidsOf } from '../model/booking.ts'
import { absent, evaluateOn, nothing, other, type Value } from '../model/conditions.ts'
import { bookedBy, findTarget, isAsk, isBook, isCall, isRun, isWait } from '../model/flow.ts'
import { rolesOfStep } from '../model/operations.ts'
import { domainsOf } from '../model/scope.ts'
import { bookInto } from './booking.ts'
import { hasReached, type Joint, Joints } from './joint.ts'
import { Needs } from './needs.ts'
import {
  type Ahead,
  fieldsOfAnswer,
  hasOutput,
  headOf,
  moveTo,
  type Node,
  type Origin,
  readAhead,
  toKey,
} from './node.ts'

/** More situations are not explored. */
export const mostNodes = 200_000

/** Receives the situations and ways of an exploration. */
export interface Visitor {
  /** A situation in which the step has begun; `first` if it begins with it. */
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
  readonly #joints: Joints
  readonly #ahead: readonly Ahead[]
  readonly #uids: ReadonlyMap<string, string>
  readonly #domains: (path: string) => Value[]
  readonly #seen = new Set<string>()
  readonly #open: Node[] = []
  readonly #origins: boolean
  readonly #needs: Needs
  readonly #byName: ReadonlyMap<string, Step>

  constructor(flow: FlowDeclaration, { others, origins = false }: ExploreOptions, visitor: Visitor) {
    this.#origins = origins
    this.#flow = flow
    this.#needs = new Needs(flow)
    this.#visitor = visitor
    this.#uids = uidsOf(flow)
    this.#joints = new Joints(this.#receivingUids(), others)
    this.#ahead = readAhead(flow)
    this.#domains = domainsOf(flow)
    this.#byName = new Map(flow.steps.filter(hasOutput).map(step => [step.name, step]))
  }

  run(): boolean {
    const none = new Map<string, string>()
    this.#add({
      step: 0,
      entered: false,
      joint: this.#joints.of([]),
      roles: new Set(),
      results: none,
      values: none,
      known: none,
    })
    for (let node = this.#open.pop(); node; node = this.#open.pop()) {
      if (this.#seen.size > mostNodes) return false
      this.#visit(node)
    }
    return true
  }

  /** Shipments whose receiver the flow sets, by an update or by a call. */
  #receivingUids(): Set<string> {
    const uids = new Set<string>()
    for (const step of this.#flow.steps) {
      if (isWait(step) && step.completedBy?.update === 'assignReceiver') {
        uids.add(this.#uids.get(step.completedBy.role) ?? '')
      }
      if (isCall(step) && step.call === 'SetShipmentReceiver') for (const uid of this.#uids.values()) uids.add(uid)
    }
    return uids
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
    const truth = evaluateOn(step.when, key => this.#valueOf(node, key))
    if (typeof truth === 'object') this.#split(node, truth.needs)
    else if (truth) this.#enter(node)
    else this.#go(without(node, step, '!left out'), 'skipped', node.step + 1)
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
    if (isWait(step)) this.#wait(node, step)
    else if (isBook(step)) this.#book(node, step)
    else if (isAsk(step)) this.#ask(node, step)
    else this.#go(withResult(node, step, 'done'), 'reached', node.step + 1)
    this.#errors(node, step)
    this.#edge(node, 'cancel', this.#flow.steps.length)
    if (this.#canLoseShipment(node)) this.#edge(node, 'cancelledOutside', this.#flow.steps.length)
  }

  /** True if the flow ends as soon as another program cancels one of its shipments. */
  #canLoseShipment(node: Node): boolean {
    const isActive = (role: string) => {
      const shipment = node.joint.shipments.find(({ uid }) => uid === this.#uids.get(role))
      return shipment !== undefined && !states[shipment.state].final
    }
    return [...node.roles].some(role => isActive(role) && this.#needs.isNeeded(role, node.step))
  }

  #wait(node: Node, step: WaitStep): void {
    if (isWaitOver(node, step, this.#uids)) {
      const known = new Map([...node.known, ...Object.entries(step.wait)])
      this.#go({ ...node, known }, 'reached', node.step + 1)
      return
    }
    if (step.completedBy?.update === 'release') this.#release(node, step.completedBy.role)
    this.#timeout(node, step)
    if (step.onLockerOutOfService === 'ask') this.#decisions(node)
  }

  /** The flow completes without the released shipment. */
  #release(node: Node, role: string): void {
    this.#edge(node, 'release', this.#flow.steps.length)
    this.#visitor.completed?.({ ...node, roles: new Set([...node.roles].filter(name => name !== role)) }, node.step)
  }

  #ask(node: Node, step: AskStep): void {
    for (const answer of Object.keys(step.ask)) {
      this.#go(withResult(node, step, `answer:${answer}`), `answer:${answer}`, node.step + 1)
    }
    this.#timeout(node, step)
  }

  #timeout(node: Node, { window, onTimeout }: WaitStep | AskStep): void {
    if (window === null || onTimeout === undefined) return
    const end = this.#flow.steps.length
    if (onTimeout === 'cancel') this.#edge(node, 'timeout.cancel', end)
    else if (onTimeout === 'remind' || onTimeout === 'ask') {
      if (onTimeout === 'remind') this.#edge(node, 'remind', node.step)
      this.#decisions(node)
    } else this.#jump(node, 'timeout.goTo', onTimeout.goTo, 'onTimeout')
  }

  /** The ways on in a step that is overdue. */
  #decisions(node: Node): void {
    this.#edge(node, 'ask.extend', node.step)
    this.#edge(node, 'ask.keepWaiting', node.step)
    this.#edge(node, 'ask.cancel', this.#flow.steps.length)
  }

  #errors(node: Node, step: Step): void {
    if (!('onError' in step)) return
    for (const [code, way] of Object.entries(step.onError ?? {})) {
      if (way === 'fail') this.#edge(node, `error:${code}`, this.#flow.steps.length)
      else if (way === 'continue') {
        this.#go(withResult(node, step, `error:${code}`), `error:${code}`, node.step + 1)
        // A refusal can carry the fields of the response.
        if (isCall(step)) this.#go(withResult(node, step, `error:${code}+`), `error:${code}`, node.step + 1)
      } else this.#jump(node, `error:${code}`, way.goTo, `onError.${code}`)
    }
  }

  /** Goes to a later step. The steps between are left out, because of a field of this one. */
  #jump(node: Node, cause: Cause, goTo: string, field: string): void {
    const target = findTarget(this.#flow, node.step, goTo)
    if (target === undefined) return
    const from = this.#flow.steps[node.step]
    const passed = this.#flow.steps.slice(node.step, target)
    const reason = `!${from?.name}.${field}`
    this.#go(
      passed.reduce((left, step) => without(left, step, reason), node),
      cause,
      target,
    )
  }

  #book(node: Node, step: BookStep): void {
    const { existing, keepBooked, flags } = fieldsOfBooking(step)
    const open = [existing, keepBooked, ...flags.values()].find(source => this.#read(node, source) === undefined)
    if (open && 'path' in open) {
      this.#split(node, open.path)
      return
    }
    const prior = 'path' in existing ? this.#uids.get(headOf(existing.path)) : undefined
    const isTrue = (source: FieldSource | undefined) => source !== undefined && this.#read(node, source) === 'true'
    const hasExisting = ![absent, nothing].includes(this.#read(node, existing) ?? absent)
    const groups = bookInto(node.joint.shipments, {
      step,
      prior: prior !== undefined && node.joint.shipments.some(({ uid }) => uid === prior) ? prior : undefined,
      hasExisting,
      keepBooked: isTrue(keepBooked),
      isSet: field => isTrue(flags.get(field)),
    })
    for (const group of groups) {
      const joint = this.#joints.of(group)
      const first = rolesOfStep(step).map(([role]) => [role, stateOf(joint, this.#uids.get(role)) ?? ''] as const)
      const booked = {
        ...withResult(node, step, 'done'),
        joint,
        roles: new Set([...node.roles, ...bookedBy(step)]),
        known: new Map([...node.known, ...first]),
      }
      this.#go(booked, 'reached', node.step + 1)
    }
  }

  #split(node: Node, key: string): void {
    const domain = key.includes(' ') ? ['true', 'false'] : this.#domains(key)
    for (const value of domain) this.#add({ ...node, values: new Map(node.values).set(key, value) })
  }

  #read(node: Node, source: FieldSource): Value | undefined {
    if ('value' in source) return source.value === undefined ? absent : canonicalJson(source.value)
    const value = this.#valueOf(node, source.path)
    return value === absent && source.or !== undefined ? canonicalJson(source.or) : value
  }

  /** The value of a path in a node; undefined if the node leaves it open. */
  #valueOf(node: Node, key: string): Value | undefined {
    const head = headOf(key)
    const known = node.values.get(key)
    if (head === 'input' || key.includes(' ')) return known
    const step = this.#byName.get(head)
    if (step === undefined) return node.roles.has(head) ? other : absent
    const field = key.split('.')[1] ?? ''
    const result = node.results.get(head) ?? '!'
    if (result.startsWith('error:')) {
      if (field === 'error') return canonicalJson(result.slice('error:'.length).replace('+', ''))
      return result.endsWith('+') ? known : absent
    }
    if (result === 'done') return field === 'error' ? absent : known
    if (!result.startsWith('answer:')) return absent
    const answer = result.slice('answer:'.length)
    if (field === 'answer') return canonicalJson(answer)
    return fieldsOfAnswer(step, answer).includes(field) ? known : absent
  }

  #edge(node: Node, cause: Cause, next: number): void {
    this.#visitor.edge?.(node.step, cause, next)
  }

  #go(node: Node, cause: Cause, next: number): void {
    this.#edge(node, cause, next)
    const left = this.#origins && cause !== 'skipped' ? { ...node, origin: { step: node.step, cause } } : node
    if (next === this.#flow.steps.length) {
      if (left.origin) this.#visitor.arrived?.(left.origin, next)
      this.#visitor.completed?.(node, node.step)
    } else this.#add(moveTo(left, next, this.#ahead[next] as Ahead))
  }
}

/** True if every role of a wait has reached its state. */
export function isWaitOver(node: Node, { wait }: WaitStep, uids: ReadonlyMap<string, string>): boolean {
  return Object.entries(wait).every(([role, wanted]) => {
    const state = node.roles.has(role) ? stateOf(node.joint, uids.get(role)) : undefined
    return state !== undefined && hasReached(state, wanted as StateCode)
  })
}

function stateOf({ shipments }: Joint, uid: string | undefined): StateCode | undefined {
  return shipments.find(shipment => shipment.uid === uid)?.state
}

function withResult(node: Node, step: Step, result: string): Node {
  return hasOutput(step) || isRun(step) ? { ...node, results: new Map(node.results).set(step.name, result) } : node
}

/** The node after a step that was left out. A namesake of the step may have an output. */
function without(node: Node, step: Step, reason: string): Node {
  const known = node.results.get(step.name)
  return known === undefined || known.startsWith('!') ? withResult(node, step, reason) : node
}
