import { applyEvent, type Group } from '#contract/machines'
import { states } from '#contract/terms'
import { allSteps, type Cause } from '#flows'
import type { FlowDeclaration } from '#flows/declaration'
import { endingIn, isEndedBefore, refused, uidToCancel } from '../../kinds/call/check/ways.ts'
import { checkOf } from '../kinds.ts'
import { bookedBy, finalCodes, isBook, isCall, isRun } from '../model/flow.ts'
import { operationOf } from '../model/operations.ts'
import { holdersOf, type PlacedStep } from '../model/tree.ts'
import { Needs } from './situation/needs.ts'
import { type Node, toNext, type Way } from './situation/node.ts'
import { type Parts, partOf, replacePart, stateIn } from './situation/parts.ts'
import { type Values, withDone, withResult } from './situation/values.ts'
import { jump, toEnd, type WayParts } from './situation/ways.ts'

const givenUp: readonly string[] = ['BookingGivenUp', 'CallGivenUp', ...finalCodes]

/** The ways out of each step of a flow. */
export class Exits {
  readonly parts: WayParts
  readonly #needs: Needs

  constructor(flow: FlowDeclaration, shipments: Parts, values: Values) {
    this.parts = { flow, shipments, values }
    this.#needs = new Needs(flow)
  }

  /** @param node in which the step has been entered */
  *from(node: Node, placed: PlacedStep): Iterable<Way> {
    const { step } = placed
    const { waysFrom } = checkOf(step)
    if (waysFrom === undefined) yield toNext(withDone(node, step), 'reached')
    else yield* waysFrom(node, step, this.parts)
    yield* this.#errors(node, placed)
    // In a block, the outermost block of all is cancelled.
    if (placed.list.holder === undefined) yield toEnd(this.parts, 'cancel')
    for (const left of this.#losses(node, placed)) {
      yield { kind: 'climb', cause: 'cancelledOutside', code: 'ShipmentCancelled', node: left }
    }
  }

  /**
   * The situations after another program has cancelled a shipment without which the flow cannot go on, or in which one has
   * ended after a call whose refusal the flow tolerates.
   */
  *#losses(node: Node, { step: current }: PlacedStep): Iterable<Node> {
    const { roles, parts, freed, step } = node
    const cancelled = uidToCancel(node, current)
    for (const [role, uid] of roles) {
      const part = partOf(parts, uid)
      if (part === undefined || freed.has(uid)) continue
      const isLost = part.groups.some(group => {
        const state = group.find(shipment => shipment.uid === uid)?.state
        if (state === undefined) return false
        // The flow has not sent the uid in this step if it notices before the step begins.
        if (state === 'Cancelled') return this.#needs.isNeeded(role, step, { sent: false })
        const isEnding = cancelled !== undefined && endingIn(group, cancelled).has(uid)
        return !isEnding && !states[state].final && this.#needs.isNeeded(role, step, { sent: true })
      })
      if (isLost) yield this.#without(node, uid)
    }
  }

  /**
   * The situations in which the list around a block lacks a shipment that another program has cancelled while the block runs: a
   * later step, or a further round, needs it.
   */
  *lossesAround(node: Node, { step, end }: PlacedStep): Iterable<Node> {
    const isLoop = 'repeat' in step || 'forEach' in step
    const own = new Set(isLoop ? allSteps([step]).flatMap(bookedBy) : [])
    for (const [role, uid] of node.roles) {
      if (node.freed.has(uid) || own.has(role)) continue
      const isOpen = (group: Group) => {
        const state = stateIn(group, uid)
        return state !== undefined && (!states[state].final || state === 'Cancelled')
      }
      if (!partOf(node.parts, uid)?.groups.some(isOpen)) continue
      if (this.#needs.isNeeded(role, isLoop ? end - 1 : end, { sent: false })) yield this.#without(node, uid)
    }
  }

  /** The situation after another program has cancelled a shipment, as far as it can. */
  #without(node: Node, uid: string): Node {
    const part = partOf(node.parts, uid)
    const after = (part?.groups ?? []).flatMap(group => {
      const next = stateIn(group, uid) === 'Cancelled' ? group : applyEvent(group, uid, { type: 'cancel' })
      return next === undefined ? [] : [next]
    })
    if (part === undefined || after.length === 0) return node
    return { ...node, parts: replacePart(node.parts, part, this.parts.shipments.of(after)) }
  }

  *#errors(entered: Node, placed: PlacedStep): Iterable<Way> {
    const { step } = placed
    const node = refused(entered, step, this.parts)
    const own = 'onError' in step ? Object.entries(step.onError ?? {}) : []
    for (const [code, way] of own) {
      if (code === 'InvalidShipmentState' && isEndedBefore(entered, step)) continue
      const cause: Cause = `error:${code}`
      if (way === 'fail') {
        yield { kind: 'climb', cause, code, node }
        continue
      }
      // A refusal can have the fields of the response.
      for (const result of isCall(step) ? [cause, `${cause}+`] : [cause]) {
        const after = withResult(node, step, result)
        if (way === 'continue') yield toNext(after, cause)
        else yield* jump(after, cause, way.goTo, `onError.${code}`, this.parts)
      }
    }
    const named = new Set(own.map(([code]) => code))
    for (const code of climbing(placed)) {
      // Work that was given up climbs past the policies of its own step.
      const isTaken = named.has(code) || (named.has('other') && code !== 'other')
      if (!isTaken || givenUp.includes(code))
        yield { kind: 'climb', cause: `error:${code}`, code, node, isSilent: true }
    }
  }
}

/** The codes of a step that blocks around it name, or tolerate as another one. */
function climbing(placed: PlacedStep): Set<string> {
  const { step } = placed
  const holders = holdersOf(placed)
  const named = holders.flatMap(({ step: holder }) => ('onError' in holder ? Object.keys(holder.onError ?? {}) : []))
  const takesAny = holders.some(({ step: holder }) => 'forEach' in holder && holder.onItemError === 'continue')
  const codes = new Set([...named, ...(takesAny ? ['other'] : [])])
  if (isRun(step)) return codes
  if (!isBook(step) && !isCall(step)) return new Set()
  const possible = new Set<string>([...(operationOf(step)?.errors ?? []), 'other', ...givenUp])
  return new Set([...codes].filter(code => possible.has(code)))
}
