import { allSteps, pathsIn, pathsInOutputs, sentBy } from '#flows'
import type { FlowDeclaration } from '#flows/declaration'
import { isWait } from '../../model/flow.ts'
import { headOf } from '../../model/source.ts'

/** The roles without which a flow cannot go on: it ends if another program cancels their shipments. */
export class Needs {
  /** By role: the last step that waits for it. */
  readonly #waitedIn = new Map<string, number>()
  /** By role: the last step that sends its uid; infinite for one in the result. */
  readonly #readIn = new Map<string, number>()

  constructor({ steps, outputs = {} }: FlowDeclaration) {
    for (const [index, step] of allSteps(steps).entries()) {
      if (isWait(step)) for (const role of Object.keys(step.wait)) this.#waitedIn.set(role, index)
      // A uid with a default counts too, since the flow sends it as long as it has the shipment.
      for (const path of pathsIn(sentBy(step))) this.#readIn.set(headOf(path), index)
    }
    for (const path of pathsInOutputs(outputs)) this.#readIn.set(headOf(path), Number.POSITIVE_INFINITY)
  }

  /**
   * True if a flow that is in the step still needs the role. A role that no step waits for is needed until the end.
   * @param sent whether the step has sent the uids that it reads
   */
  isNeeded(role: string, step: number, { sent }: { readonly sent: boolean }): boolean {
    const waitedIn = this.#waitedIn.get(role) ?? Number.POSITIVE_INFINITY
    return waitedIn >= step || (this.#readIn.get(role) ?? -1) >= (sent ? step + 1 : step)
  }
}
