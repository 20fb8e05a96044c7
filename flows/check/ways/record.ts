import type { Group } from '#contract/machines'
import { type StateCode, stateCodes } from '#contract/terms'
import type { Cause } from '#flows'
import { allSteps } from '#flows'
import type { FlowDeclaration, Step } from '#flows/declaration'
import { awaitedParts } from '../../kinds/wait/check/ways.ts'
import type { Finding } from '../fault.ts'
import { bookedBy, continuesAfter, isBook, isWait } from '../model/flow.ts'
import { rolesOfStep } from '../model/operations.ts'
import { holdersOf, type PlacedList, type PlacedStep, treeOf } from '../model/tree.ts'
import type { Visitor } from './situation/explorer.ts'
import { answerIn, type Node, pathsOf } from './situation/node.ts'
import { hasReached, isEmpty, partOf } from './situation/parts.ts'

/** The situations of each step, as an exploration shows them. */
export class WayRecord implements Visitor {
  /** Steps that at least one way enters. */
  readonly reachable = new Set<number>()
  /** Waits that begin before their states are certain, in at least one path. */
  readonly open = new Set<number>()
  /** Steps that a flow can leave by reaching the states. */
  readonly left = new Set<number>()
  readonly #found = new Map<string, Finding>()
  readonly #states = new Map<string, Set<StateCode>>()
  readonly #known = new Map<string, Set<string>>()
  /** By wait: the roles that are booked on every path. */
  readonly #booked = new Map<number, readonly string[]>()
  /** Waits and roles that in some situation are active and hold no item. */
  readonly #empty = new Set<string>()
  readonly #flow: FlowDeclaration
  readonly #steps: ReadonlyMap<string, Step>
  readonly #roles: ReadonlySet<string>
  readonly #owned: ReadonlySet<string>

  constructor(flow: FlowDeclaration) {
    this.#flow = flow
    const steps = allSteps(flow.steps)
    const roles = steps.filter(isBook).flatMap(rolesOfStep)
    this.#steps = new Map(steps.map(step => [step.name, step]))
    this.#roles = new Set(roles.map(([name]) => name))
    this.#owned = new Set(roles.filter(([, { existing }]) => !existing).map(([name]) => name))
  }

  get findings(): Finding[] {
    return [...this.#found.values(), ...treeOf(this.#flow).flatMap(placed => this.#unknownRoles(placed))]
  }

  /** The states that a role can have in a wait step. */
  states(index: number, role: string): StateCode[] {
    return inOrder(this.#states.get(`${index} ${role}`))
  }

  /** The states that a role has reached in every path when a wait step begins. */
  knownStates(index: number, role: string): StateCode[] {
    return inOrder(this.#known.get(`${index} ${role}`))
  }

  /** True if clean-up could cancel the role in some situation of a wait step. */
  canBeEmpty(index: number, role: string): boolean {
    return this.#owned.has(role) && this.#empty.has(`${index} ${role}`)
  }

  entered(node: Node): void {
    const placed = treeOf(this.#flow)[node.step]
    if (placed === undefined) return
    const { step } = placed
    this.reachable.add(node.step)
    this.#checkPaths(node, placed)
    if (!isWait(step)) return
    const isKnown = (role: string, wanted: StateCode) => hasReached(node.known.get(role) ?? '', wanted)
    if (!Object.entries(step.wait).every(([role, wanted]) => isKnown(role, wanted))) this.open.add(node.step)
    for (const role of Object.keys(step.wait)) {
      addTo(this.#known, `${node.step} ${role}`, node.known.get(role) ?? '')
    }
    const awaited = awaitedParts(node, step)
    const isBooked = Object.keys(step.wait).every(role => node.roles.has(role))
    for (const role of node.roles.keys()) {
      const uid = node.roles.get(role)
      const part = partOf(node.parts, uid)
      const isOpen = (group: Group) =>
        !isBooked || awaited.some(each => (each.part === part ? each.open.includes(group) : each.open.length > 0))
      for (const group of part?.groups ?? []) {
        const shipment = group.find(each => each.uid === uid)
        if (shipment === undefined) continue
        addTo(this.#states, `${node.step} ${role}`, shipment.state)
        if (isEmpty(shipment) && isOpen(group)) this.#empty.add(`${node.step} ${role}`)
      }
    }
    this.#booked.set(
      node.step,
      [...node.roles.keys()].filter(role => this.#booked.get(node.step)?.includes(role) !== false),
    )
  }

  edge(step: number, cause: Cause): void {
    if (cause === 'reached') this.left.add(step)
  }

  completed(node: Node, last: number, list: PlacedList): void {
    const inside = list.holder && new Set(list.steps.flatMap(({ step }) => allSteps([step]).flatMap(bookedBy)))
    const place = treeOf(this.#flow)[last]
    for (const role of this.#owned) {
      if (inside !== undefined && !inside.has(role)) continue
      const uid = node.roles.get(role)
      const states = (partOf(node.parts, uid)?.groups ?? []).flatMap(group => group.filter(each => each.uid === uid))
      const shipment = states.find(isEmpty)
      if (shipment === undefined) continue
      const what = inside === undefined ? '' : ` of the ${'repeat' in (list.holder?.step ?? {}) ? 'round' : 'item'}`
      const text = `must not be the end${what} while ${role} can be ${shipment.state}: its locker would stay booked. Wait for ${role} before.`
      this.#add({ at: place?.at ?? ['steps', last], code: 'LeavesBooking', text })
    }
  }

  /** Every value that the step needs must exist on every way. */
  #checkPaths(node: Node, placed: PlacedStep): void {
    const { step, at: place } = placed
    const loops = new Set(
      [placed, ...holdersOf(placed)].flatMap(({ step: each }) =>
        'forEach' in each ? [each.item] : 'repeat' in each ? [each.name] : [],
      ),
    )
    for (const { path, at } of pathsOf(step)) {
      const [head = '', field] = path.split('.')
      if (head === 'input' || (loops.has(head) && (field === 'round' || head !== step.name))) continue
      const isRole = this.#roles.has(head) && field === 'shipmentUid'
      if (isRole && !node.roles.has(head)) {
        const text = `must be a shipment that is booked on every path here, but "${head}" is not.`
        this.#add({ at: [...place, ...at], code: 'UnknownRole', text })
      }
      const reason = isRole ? undefined : this.#reasonMissing(node, path)
      if (reason !== undefined) {
        const text = `must use an output that exists on every path here, but "${path}" is missing ${reason}.`
        this.#add({ at: [...place, ...at], code: 'OutputMissing', text })
      }
    }
  }

  #unknownRoles({ step, index, at }: PlacedStep): Finding[] {
    const booked = this.#booked.get(index)
    if (!isWait(step) || booked === undefined) return []
    const text = `must be one of the roles booked before on every path: ${booked.join(', ') || 'none'}.`
    return Object.keys(step.wait)
      .filter(role => !booked.includes(role))
      .map(role => ({ at: [...at, 'wait', role], code: 'UnknownRole', text }))
  }

  #reasonMissing(node: Node, path: string): string | undefined {
    const [head = '', field = ''] = path.split('.')
    const result = node.results.get(head) ?? '!left out'
    if (/^(ended|first):/.test(result)) return undefined
    if (result === '!left out') return `when "${head}" is left out`
    if (result.startsWith('!')) return `after ${result.slice(1)}`
    if (result.startsWith('error:'))
      return result.endsWith('+') || field === 'error' ? undefined : `after ${head}.onError.${result.slice(6)}`
    const step = this.#steps.get(head)
    if (step === undefined) return undefined
    const given = answerIn(step, result)
    if (given !== undefined && field !== 'answer')
      return given.fields.includes(field) ? undefined : `after the answer ${given.answer} to ${head}`
    return result === 'done' && field === 'error' && continuesAfter(step) ? `unless ${head} fails` : undefined
  }

  #add(finding: Finding): void {
    const key = JSON.stringify([finding.at, finding.code])
    if (!this.#found.has(key)) this.#found.set(key, finding)
  }
}

function inOrder(found: ReadonlySet<string> = new Set()): StateCode[] {
  return stateCodes.filter(code => found.has(code))
}

function addTo<Value>(sets: Map<string, Set<Value>>, key: string, value: Value): void {
  sets.set(key, (sets.get(key) ?? new Set()).add(value))
}
