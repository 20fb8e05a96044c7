import { type StateCode, states } from '#contract/terms'
import { type Cause, roleToCancel } from '#flows'
import type { AskStep, CallStep, FlowDeclaration, Step, WaitStep } from '#flows/declaration'
import { findTarget, isAsk, isBook, isCall, isWait } from '../model/flow.ts'
import { type BookingParts, bookFrom } from './booking.ts'
import { applyEvent, hasReached, type JointStates, stateOf } from './jointStates.ts'
import { Needs } from './needs.ts'
import { type Node, toNext, type Way } from './node.ts'
import { type Values, withDone, without, withResult } from './values.ts'

/** The ways out of each step of a flow. */
export class Exits {
  readonly #flow: FlowDeclaration
  readonly #parts: BookingParts
  readonly #needs: Needs

  constructor(flow: FlowDeclaration, joints: JointStates, values: Values) {
    this.#flow = flow
    this.#parts = { flow, joints, values }
    this.#needs = new Needs(flow)
  }

  /** @param node in which the step has been entered */
  *from(node: Node, step: Step): Iterable<Way> {
    if (isWait(step)) yield* this.#wait(node, step)
    else if (isBook(step)) yield* bookFrom(node, step, this.#parts)
    else if (isAsk(step)) yield* this.#ask(node, step)
    else if (isCall(step)) yield* this.#call(node, step)
    else yield toNext(withDone(node, step), 'reached')
    yield* this.#errors(node, step)
    yield this.#toEnd('cancel')
    if (this.#canLoseShipment(node)) yield this.#toEnd('cancelledOutside')
  }

  #toEnd(cause: Cause): Way {
    return { kind: 'aside', cause, next: this.#flow.steps.length }
  }

  /**
   * True if the flow ends as soon as another program cancels one of its shipments, or since one has ended after a call whose
   * refusal the flow tolerates.
   */
  #canLoseShipment(node: Node): boolean {
    const { roles, joint, freed, step } = node
    const ending = this.#endingIn(node)
    return [...roles].some(([role, uid]) => {
      const state = stateOf(joint, uid)
      if (state === undefined || freed.has(uid)) return false
      // The flow has not sent the uid in this step if it notices before the step begins.
      if (state === 'Cancelled') return this.#needs.isNeeded(role, step, { sent: false })
      return !ending.has(uid) && !states[state].final && this.#needs.isNeeded(role, step, { sent: true })
    })
  }

  /** The uids of the shipments that the call of the step cancels: its own, and those that are linked to it (D-444). */
  #endingIn({ roles, joint, step }: Node): ReadonlySet<string> {
    const uid = this.#uidToCancel(roles, this.#flow.steps[step])
    if (uid === undefined) return new Set()
    const after = applyEvent(joint.shipments, uid, { type: 'cancel' }) ?? []
    const changed = after.filter(({ uid, state }) => state === 'Cancelled' && stateOf(joint, uid) !== 'Cancelled')
    return new Set([uid, ...changed.map(({ uid }) => uid)])
  }

  /** The uid of the shipment that the step cancels; undefined for any other step, and for a role without a booking. */
  #uidToCancel(roles: Node['roles'], step: Step | undefined): string | undefined {
    const role = step && isCall(step) ? roleToCancel(step.call, step.request) : undefined
    return role === undefined ? undefined : roles.get(role)
  }

  /** True if an earlier call of the flow has cancelled the shipment with another one. */
  #isEndedBefore({ roles, freed }: Node, step: Step): boolean {
    const uid = this.#uidToCancel(roles, step)
    return uid !== undefined && freed.has(uid)
  }

  /** A call that cancels a shipment of the flow succeeds if the machine allows it. */
  *#call(node: Node, step: CallStep): Iterable<Way> {
    const done = withDone(node, step)
    const role = roleToCancel(step.call, step.request)
    const uid = this.#uidToCancel(node.roles, step)
    if (role === undefined || uid === undefined) {
      yield toNext(done, 'reached')
      return
    }
    const known = new Map(node.known).set(role, 'Cancelled')
    if (this.#isEndedBefore(node, step)) {
      yield toNext({ ...done, known }, 'reached')
      return
    }
    const shipments = applyEvent(node.joint.shipments, uid, { type: 'cancel' })
    if (shipments === undefined) return
    const freed = new Set([...node.freed, ...this.#endingIn(node)])
    yield toNext({ ...done, joint: this.#parts.joints.of(shipments), freed, known }, 'reached')
  }

  /** A cancellation is refused if the shipment has ended, also by another program. */
  #refused(node: Node, step: Step): Node {
    const uid = this.#uidToCancel(node.roles, step)
    const cancelled = uid === undefined ? undefined : applyEvent(node.joint.shipments, uid, { type: 'cancel' })
    return cancelled === undefined ? node : { ...node, joint: this.#parts.joints.of(cancelled) }
  }

  *#wait(node: Node, step: WaitStep): Iterable<Way> {
    if (isWaitOver(node, step)) {
      const known = new Map([...node.known, ...Object.entries(step.wait)])
      yield toNext({ ...node, known }, 'reached')
      return
    }
    if (step.completedBy?.update === 'release') yield* this.#release(node, step.completedBy.role)
    yield* this.#timeout(node, step)
    if (step.onLockerOutOfService === 'ask') yield* this.#decisions(node)
  }

  /** The flow completes without the released shipment. */
  *#release(node: Node, role: string): Iterable<Way> {
    yield this.#toEnd('release')
    yield { kind: 'released', node: { ...node, roles: new Map([...node.roles].filter(([name]) => name !== role)) } }
  }

  *#ask(node: Node, step: AskStep): Iterable<Way> {
    for (const answer of Object.keys(step.ask)) {
      yield toNext(withResult(node, step, `answer:${node.step}:${answer}`), `answer:${answer}`)
    }
    yield* this.#timeout(node, step)
  }

  *#timeout(node: Node, { window, onTimeout }: WaitStep | AskStep): Iterable<Way> {
    if (window === null || onTimeout === undefined) return
    if (onTimeout === 'cancel') yield this.#toEnd('timeout.cancel')
    else if (onTimeout === 'remind' || onTimeout === 'ask') {
      if (onTimeout === 'remind') yield { kind: 'aside', cause: 'remind', next: node.step }
      yield* this.#decisions(node)
    } else yield* this.#jump(node, 'timeout.goTo', onTimeout.goTo, 'onTimeout')
  }

  /** The exits of an overdue step. */
  *#decisions(node: Node): Iterable<Way> {
    yield { kind: 'aside', cause: 'ask.extend', next: node.step }
    yield { kind: 'aside', cause: 'ask.keepWaiting', next: node.step }
    yield this.#toEnd('ask.cancel')
  }

  *#errors(entered: Node, step: Step): Iterable<Way> {
    if (!('onError' in step)) return
    const node = this.#refused(entered, step)
    for (const [code, way] of Object.entries(step.onError ?? {})) {
      if (code === 'InvalidShipmentState' && this.#isEndedBefore(entered, step)) continue
      const cause: Cause = `error:${code}`
      if (way === 'fail') {
        yield this.#toEnd(cause)
        continue
      }
      // A refusal can carry the fields of the response.
      for (const result of isCall(step) ? [cause, `${cause}+`] : [cause]) {
        const after = withResult(node, step, result)
        if (way === 'continue') yield toNext(after, cause)
        else yield* this.#jump(after, cause, way.goTo, `onError.${code}`)
      }
    }
  }

  /** Goes to a later step. The steps between are left out, because of a field of this one. */
  *#jump(node: Node, cause: Cause, goTo: string, field: string): Iterable<Way> {
    const target = findTarget(this.#flow, node.step, goTo)
    if (target === undefined) return
    const from = this.#flow.steps[node.step]
    const passed = this.#flow.steps.slice(node.step, target)
    const reason = `!${from?.name}.${field}`
    const after = passed.reduce((left, step) => without(left, step, reason), node)
    yield { kind: 'on', cause, node: after, next: target }
  }
}

/** True if every role of a wait has reached its state. */
export function isWaitOver(node: Node, { wait }: WaitStep): boolean {
  return Object.entries(wait).every(([role, wanted]) => {
    const state = stateOf(node.joint, node.roles.get(role))
    return state !== undefined && hasReached(state, wanted as StateCode)
  })
}
