import { states } from '#contract/terms'
import type { Cause } from '#flows'
import type { FlowDeclaration, Step } from '#flows/declaration'
import { endingIn, isEndedBefore, refused } from '../../kinds/call/check/ways.ts'
import { checkOf } from '../kinds.ts'
import { isCall } from '../model/flow.ts'
import { type JointStates, stateOf } from './situation/jointStates.ts'
import { Needs } from './situation/needs.ts'
import { type Node, toNext, type Way } from './situation/node.ts'
import { type Values, withDone, withResult } from './situation/values.ts'
import { jump, toEnd, type WayParts } from './situation/ways.ts'

/** The ways out of each step of a flow. */
export class Exits {
  readonly #parts: WayParts
  readonly #needs: Needs

  constructor(flow: FlowDeclaration, joints: JointStates, values: Values) {
    this.#parts = { flow, joints, values }
    this.#needs = new Needs(flow)
  }

  /** @param node in which the step has been entered */
  *from(node: Node, step: Step): Iterable<Way> {
    const { waysFrom } = checkOf(step)
    if (waysFrom === undefined) yield toNext(withDone(node, step), 'reached')
    else yield* waysFrom(node, step, this.#parts)
    yield* this.#errors(node, step)
    yield toEnd(this.#parts, 'cancel')
    if (this.#canLoseShipment(node, step)) yield toEnd(this.#parts, 'cancelledOutside')
  }

  /**
   * True if the flow ends as soon as another program cancels one of its shipments, or since one has ended after a call whose
   * refusal the flow tolerates.
   */
  #canLoseShipment(node: Node, current: Step): boolean {
    const { roles, joint, freed, step } = node
    const ending = endingIn(node, current)
    return [...roles].some(([role, uid]) => {
      const state = stateOf(joint, uid)
      if (state === undefined || freed.has(uid)) return false
      // The flow has not sent the uid in this step if it notices before the step begins.
      if (state === 'Cancelled') return this.#needs.isNeeded(role, step, { sent: false })
      return !ending.has(uid) && !states[state].final && this.#needs.isNeeded(role, step, { sent: true })
    })
  }

  *#errors(entered: Node, step: Step): Iterable<Way> {
    if (!('onError' in step)) return
    const node = refused(entered, step, this.#parts)
    for (const [code, way] of Object.entries(step.onError ?? {})) {
      if (code === 'InvalidShipmentState' && isEndedBefore(entered, step)) continue
      const cause: Cause = `error:${code}`
      if (way === 'fail') {
        yield toEnd(this.#parts, cause)
        continue
      }
      // A refusal can have the fields of the response.
      for (const result of isCall(step) ? [cause, `${cause}+`] : [cause]) {
        const after = withResult(node, step, result)
        if (way === 'continue') yield toNext(after, cause)
        else yield* jump(after, cause, way.goTo, `onError.${code}`, this.#parts)
      }
    }
  }
}
