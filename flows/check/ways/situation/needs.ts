import { pathsIn, pathsInOutputs, sentBy } from '#flows'
import type { FlowDeclaration } from '#flows/declaration'
import { bookedBy, isWait } from '../../model/flow.ts'
import { headOf } from '../../model/source.ts'
import { holdersOf, type PlacedStep, treeOf } from '../../model/tree.ts'

/** The roles without which a flow cannot go on: it ends if another program cancels their shipments. */
export class Needs {
  /** By role: the last step that waits for it. */
  readonly #waitedIn = new Map<string, number>()
  /** By role: the last step that sends its uid; infinite for one in the result. */
  readonly #readIn = new Map<string, number>()

  constructor(flow: FlowDeclaration) {
    const steps = treeOf(flow)
    const bookings = new Map(steps.flatMap(({ step, index }) => bookedBy(step).map(role => [role, index] as const)))
    for (const placed of steps) {
      const { step } = placed
      const lastIndex = (role: string) => lastOf(placed, bookings.get(role) ?? -1)
      if (isWait(step)) for (const role of Object.keys(step.wait)) raise(this.#waitedIn, role, lastIndex(role))
      // A uid with a default counts too, since the flow sends it as long as it has the shipment.
      for (const role of pathsIn(sentBy(step)).map(headOf)) raise(this.#readIn, role, lastIndex(role))
    }
    for (const path of pathsInOutputs(flow.outputs ?? {})) this.#readIn.set(headOf(path), Number.POSITIVE_INFINITY)
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

/** The last index at which a step can come again: that of the outermost loop around it that is not around the booking. */
function lastOf(placed: PlacedStep, booking: number): number {
  const isApart = ({ step, index, end }: PlacedStep) =>
    ('repeat' in step || 'forEach' in step) && !(index < booking && booking < end)
  const loop = holdersOf(placed).findLast(isApart)
  return loop === undefined ? placed.index : loop.end - 1
}

function raise(indexes: Map<string, number>, role: string, index: number): void {
  indexes.set(role, Math.max(index, indexes.get(role) ?? index))
}
