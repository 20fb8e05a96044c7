import {
  applyEvent,
  type Group,
  initialStateAfter,
  type LinkedShipment,
  reachability,
  type ShipmentEvent,
} from '#contract/machines'
import { type StateCode, states } from '#contract/terms'
import { existingShipment, roleToCancel } from '#flows'
import type { BookStep, CallStep, FlowDeclaration, Json, OnTimeout, Step, WaitStep } from '#flows/declaration'
import { uidsOf } from '../../../flows/check/model/booking.ts'
import { evaluateOn } from '../../../flows/check/model/conditions.ts'
import { rolesOfStep } from '../../../flows/check/model/operations.ts'
import { Needs } from '../../../flows/check/ways/situation/needs.ts'

type Texts = Readonly<Record<string, string>>

/** All shipments of a flow in one joint state, with everything that has happened. */
interface Situation {
  readonly step: number
  readonly entered: boolean
  readonly shipments: Group
  /** The uids of roles. */
  readonly roles: Texts
  readonly freed: readonly string[]
  /** The flags of the input, and the answers, by path. */
  readonly values: Readonly<Record<string, Json>>
  /** By role: the state that a booking, a wait or a cancellation has left for certain. */
  readonly known: Texts
}

/** The findings of an exploration, each in the words of the check. */
export interface JointFindings {
  readonly edges: readonly string[]
  /** The place and the code of each. */
  readonly findings: readonly string[]
}

/**
 * Explores a flow of `linkedFlow` with one joint state of all shipments, and forgets nothing. It is slow, and so simple that the
 * exploration of the check can be compared with it.
 */
export function exploreJointly(flow: FlowDeclaration): JointFindings {
  const [all, own] = [new JointExploration(flow, { others: true }), new JointExploration(flow, { others: false })]
  const waits = own.waitFindings()
  return {
    edges: [...all.edges].toSorted(),
    findings: [...all.findings, ...waits, ...(waits.length > 0 ? [] : all.unreachable())].toSorted(),
  }
}

const after = reachability()

function hasReached(state: string | undefined, wanted: StateCode): boolean {
  return state === wanted || (state !== 'Cancelled' && after[wanted].some(later => later === state))
}

function stateOf(shipments: Group, uid: string | undefined): StateCode | undefined {
  return shipments.find(shipment => shipment.uid === uid)?.state
}

function isEmpty(state: StateCode | undefined): boolean {
  return state !== undefined && !states[state].final && !states[state].holdsItem
}

class JointExploration {
  readonly edges = new Set<string>()
  readonly findings = new Set<string>()
  readonly #flow: FlowDeclaration
  readonly #needs: Needs
  readonly #others: boolean
  /** Shipments whose receiver the flow sets. */
  readonly #receiving: ReadonlySet<string>
  readonly #owned: readonly string[]
  readonly #seen = new Set<string>()
  readonly #open: Situation[] = []
  readonly #entered = new Set<number>()
  readonly #states = new Map<string, Set<StateCode>>()
  /** Waits that begin before it is certain that they are over. */
  readonly #uncertain = new Set<number>()

  constructor(flow: FlowDeclaration, { others }: { readonly others: boolean }) {
    const { steps } = flow
    const uids = uidsOf(flow)
    const receiving = steps.flatMap(step =>
      'call' in step && step.call === 'SetShipmentReceiver' ? [...uids.values()] : [],
    )
    const roles = steps.flatMap(step => ('book' in step ? rolesOfStep(step) : []))
    this.#flow = flow
    this.#needs = new Needs(flow)
    this.#others = others
    this.#receiving = new Set(receiving.flatMap(each => [...each]))
    this.#owned = roles.flatMap(([name, { existing }]) => (existing ? [] : [name]))
    const flags = [true, false]
    for (const one of flags) {
      for (const two of flags) {
        const values = { 'input.one': one, 'input.two': two }
        this.#add({ step: 0, entered: false, shipments: [], roles: {}, freed: [], values, known: {} })
      }
    }
    for (let next = this.#open.pop(); next; next = this.#open.pop()) this.#visit(next, steps[next.step] as Step)
  }

  unreachable(): string[] {
    return this.#flow.steps.flatMap(({ when }, index) =>
      this.#entered.has(index) ? [] : `steps.${index}${when ? '.when' : ''} StepUnreachable`,
    )
  }

  waitFindings(): string[] {
    return this.#flow.steps.flatMap((step, index) => {
      if (!('wait' in step) || !this.#entered.has(index)) return []
      if (!this.#uncertain.has(index)) return `steps.${index}.wait OverAtStart`
      const isLeft = [...this.edges].some(
        edge => edge.startsWith(`${step.name} reached `) || edge.startsWith(`${step.name} release `),
      )
      if (isLeft) return []
      const late = Object.entries(step.wait).find(
        ([role, wanted]) => ![...(this.#states.get(`${index} ${role}`) ?? [])].some(state => hasReached(state, wanted)),
      )
      return `steps.${index}.wait${late ? `.${late[0]}` : ''} WaitNeverEnds`
    })
  }

  #add(situation: Situation): void {
    const key = JSON.stringify(situation)
    if (this.#seen.has(key)) return
    this.#seen.add(key)
    this.#open.push(situation)
  }

  #visit(now: Situation, step: Step): void {
    if (!now.entered) {
      const value = (path: string) => {
        const found = now.values[path]
        return found === undefined ? 'absent' : JSON.stringify(found)
      }
      if (evaluateOn(step.when, value) === false) this.#go(now, 'skipped', now.step + 1)
      else this.#enter({ ...now, entered: true }, step)
      return
    }
    if ('wait' in step) this.#look(now, step)
    for (const { uid } of now.shipments) {
      for (const event of this.#eventsOf(uid)) {
        const shipments = applyEvent(now.shipments, uid, event)
        if (shipments) this.#add({ ...now, shipments })
      }
    }
    if ('book' in step) this.#book(now, step)
    else if ('wait' in step) this.#wait(now, step)
    else if ('ask' in step) this.#ask(now, step.name, Object.keys(step.ask), step.onTimeout)
    else if ('call' in step) this.#call(now, step)
    else this.#go(now, 'reached', now.step + 1)
    this.#errors(now, step)
    this.#edge(now, 'cancel', this.#flow.steps.length)
    if (this.#canLose(now, step)) this.#edge(now, 'cancelledOutside', this.#flow.steps.length)
  }

  #eventsOf(uid: string): ShipmentEvent[] {
    const events: ShipmentEvent[] = [{ type: 'dropOff' }, { type: 'pickUp' }]
    if (this.#others) events.push({ type: 'setReceiver' }, { type: 'issueFromStock' })
    else if (this.#receiving.has(uid)) events.push({ type: 'setReceiver' })
    return events
  }

  #enter(now: Situation, step: Step): void {
    const { step: index, roles, known } = now
    this.#entered.add(index)
    this.#add(now)
    for (const [field, source] of 'request' in step ? Object.entries(step.request as object) : []) {
      const role = /^(?!input)(\w+)\.shipmentUid$/.exec(source?.from)?.[1]
      if (role && !(role in roles)) this.findings.add(`steps.${index}.request.${field}.from UnknownRole`)
    }
    if (!('wait' in step)) return
    for (const role of Object.keys(step.wait)) {
      if (!(role in roles)) this.findings.add(`steps.${index}.wait.${role} UnknownRole`)
    }
    const isCertain = Object.entries(step.wait).every(([role, wanted]) => hasReached(known[role], wanted))
    if (!isCertain) this.#uncertain.add(index)
  }

  /** Notes the states in a wait. */
  #look({ step: index, roles, shipments }: Situation, { wait, keep = [] }: WaitStep): void {
    for (const [role, uid] of Object.entries(roles)) {
      const state = stateOf(shipments, uid)
      if (state) this.#states.set(`${index} ${role}`, (this.#states.get(`${index} ${role}`) ?? new Set()).add(state))
    }
    const isOver = Object.entries(wait).every(([role, wanted]) => hasReached(stateOf(shipments, roles[role]), wanted))
    for (const [place, role] of keep.entries()) {
      const isFree = this.#owned.includes(role) && isEmpty(stateOf(shipments, roles[role]))
      if (isFree && !isOver) this.findings.add(`steps.${index}.keep.${place} LeavesBooking`)
    }
  }

  #book(now: Situation, step: BookStep): void {
    const request = step.request as Readonly<Record<string, unknown>>
    const read = (field: string) => {
      const source = request[field]
      return isSource(source) ? now.values[source.from] : source
    }
    const source = request.PriorShipmentUid ?? request.SwapsShipmentUid
    const prior = isSource(source) ? now.roles[source.from.split('.')[0] ?? ''] : undefined
    const hasForeign = isSource(source) && source.from.startsWith('input.')
    const roles = rolesOfStep(step)
    const existingStates: StateCode[] = ['ReadyForPickup', 'ReadyForDropOff', 'WaitForPriorShipment']
    const foreign = `${existingShipment} of ${step.name}`
    const followsForeign = hasForeign && roles.some(([, { link }]) => link?.to === existingShipment)
    let groups: Group[] = followsForeign
      ? existingStates.map(state => [...now.shipments, toShipment(foreign, state, true)])
      : [now.shipments]
    for (const [name, { existing, link, initialState, withoutReceiver }] of roles) {
      groups = groups.flatMap((group): Group[] => {
        if (existing && prior === undefined)
          return existingStates.map(state => [...group, toShipment(name, state, true)])
        if (existing)
          return [applyEvent(group, prior as string, { type: 'issueFromStock' })].filter(each => each !== undefined)
        const isIssued = roles.some(([other, role]) => other === link?.to && role.existing)
        const leader = link?.to === existingShipment ? (prior ?? foreign) : isIssued ? (prior ?? link?.to) : link?.to
        const leaderState = stateOf(group, leader)
        const flag = typeof withoutReceiver === 'string' ? read(withoutReceiver) : withoutReceiver
        const state = link && leaderState ? initialStateAfter(link.by, leaderState) : initialState
        const shipment = toShipment(name, state, flag !== true, read('KeepBookedAfterPickUp') === true)
        const follows = link && leaderState ? { link: link.by, uid: leader as string } : null
        return [[...group, { ...shipment, collectOnly: step.book.startsWith('CreateCollectOnly'), prior: follows }]]
      })
    }
    const booked = Object.fromEntries(roles.map(([name, { existing }]) => [name, existing && prior ? prior : name]))
    for (const shipments of groups) {
      const first = Object.entries(booked).map(([role, uid]) => [role, stateOf(shipments, uid) ?? ''])
      const known = { ...now.known, ...Object.fromEntries(first) }
      this.#go({ ...now, shipments, roles: { ...now.roles, ...booked }, known }, 'reached', now.step + 1)
    }
  }

  #wait(now: Situation, step: WaitStep): void {
    const wanted = Object.entries(step.wait)
    if (wanted.every(([role, state]) => hasReached(stateOf(now.shipments, now.roles[role]), state))) {
      this.#go({ ...now, known: { ...now.known, ...step.wait } }, 'reached', now.step + 1)
      return
    }
    this.#timeout(now, step.onTimeout)
    if (step.onLockerOutOfService === 'ask') this.#decide(now)
  }

  #ask(now: Situation, name: string, answers: readonly string[], onTimeout: OnTimeout | undefined): void {
    for (const answer of answers) {
      this.#go({ ...now, values: { ...now.values, [`${name}.answer`]: answer } }, `answer:${answer}`, now.step + 1)
    }
    this.#timeout(now, onTimeout)
  }

  #timeout(now: Situation, onTimeout: OnTimeout | undefined): void {
    if (onTimeout === 'cancel') this.#edge(now, 'timeout.cancel', this.#flow.steps.length)
    if (onTimeout === 'remind') this.#edge(now, 'remind', now.step)
    if (onTimeout === 'remind' || onTimeout === 'ask') this.#decide(now)
    if (typeof onTimeout === 'object') this.#go(now, 'timeout.goTo', this.#targetOf(onTimeout.goTo))
  }

  #decide(now: Situation): void {
    this.#edge(now, 'ask.extend', now.step)
    this.#edge(now, 'ask.keepWaiting', now.step)
    this.#edge(now, 'ask.cancel', this.#flow.steps.length)
  }

  #call(now: Situation, step: CallStep): void {
    const role = roleToCancel(step.call, step.request)
    const uid = uidToCancel(now, step)
    if (role === undefined || uid === undefined) {
      this.#go(now, 'reached', now.step + 1)
      return
    }
    const known = { ...now.known, [role]: 'Cancelled' }
    const isFreed = now.freed.includes(uid)
    const shipments = isFreed ? now.shipments : applyEvent(now.shipments, uid, { type: 'cancel' })
    const freed = isFreed ? now.freed : [...new Set([...now.freed, ...endingIn(now.shipments, uid)])].toSorted()
    if (shipments) this.#go({ ...now, shipments, freed, known }, 'reached', now.step + 1)
  }

  #errors(now: Situation, step: Step): void {
    const uid = uidToCancel(now, step)
    const shipments = (uid && applyEvent(now.shipments, uid, { type: 'cancel' })) || now.shipments
    for (const [code, path] of 'onError' in step ? Object.entries(step.onError ?? {}) : []) {
      if (code === 'InvalidShipmentState' && uid && now.freed.includes(uid)) continue
      if (path === 'fail') this.#edge(now, `error:${code}`, this.#flow.steps.length)
      else {
        const next = path === 'continue' ? now.step + 1 : this.#targetOf(path.goTo)
        this.#go({ ...now, shipments }, `error:${code}`, next)
      }
    }
  }

  #canLose({ step: index, roles, shipments, freed }: Situation, step: Step): boolean {
    const uid = uidToCancel({ roles }, step)
    const ending = uid === undefined ? new Set() : endingIn(shipments, uid)
    return Object.entries(roles).some(([role, own]) => {
      const state = stateOf(shipments, own)
      if (state === undefined || freed.includes(own)) return false
      if (state === 'Cancelled') return this.#needs.isNeeded(role, index, { sent: false })
      return !ending.has(own) && !states[state].final && this.#needs.isNeeded(role, index, { sent: true })
    })
  }

  #targetOf(goTo: string): number {
    const index = this.#flow.steps.findIndex(({ name }) => name === goTo)
    return index < 0 ? this.#flow.steps.length : index
  }

  #go(now: Situation, cause: string, next: number): void {
    this.#edge(now, cause, next)
    if (next === this.#flow.steps.length) this.#complete(now)
    else this.#add({ ...now, step: next, entered: false })
  }

  #complete({ step, roles, shipments }: Situation): void {
    const isLeft = this.#owned.some(role => isEmpty(stateOf(shipments, roles[role])))
    if (isLeft) this.findings.add(`steps.${step} LeavesBooking`)
  }

  #edge({ step }: Situation, cause: string, next: number): void {
    const { steps } = this.#flow
    this.edges.add(`${steps[step]?.name} ${cause} ${steps[next]?.name ?? 'end'}`)
  }
}

function isSource(value: unknown): value is { readonly from: string } {
  return typeof value === 'object' && value !== null && 'from' in value
}

function toShipment(uid: string, state: StateCode, receiver: boolean, keepBooked = false): LinkedShipment {
  return { uid, state, context: { receiver, keepBooked, stock: !receiver }, collectOnly: false, prior: null }
}

function uidToCancel({ roles }: Pick<Situation, 'roles'>, step: Step): string | undefined {
  const role = 'call' in step ? roleToCancel(step.call, step.request) : undefined
  return role === undefined ? undefined : roles[role]
}

/** The shipments that a cancellation ends. */
function endingIn(shipments: Group, uid: string): ReadonlySet<string> {
  const ended = applyEvent(shipments, uid, { type: 'cancel' }) ?? []
  const changed = ended.filter(({ uid, state }) => state === 'Cancelled' && stateOf(shipments, uid) !== 'Cancelled')
  return new Set([uid, ...changed.map(({ uid }) => uid)])
}
