import { pathsInOutputs } from '#flows'
import type { FlowDeclaration } from '#flows/declaration'
import { isWait } from '../model/flow.ts'
import { pathsOf } from './node.ts'

/** The roles without which a flow cannot go on: it ends if another program cancels their shipments. */
export class Needs {
  /** By role: the last step that waits for it. */
  readonly #waitedIn = new Map<string, number>()
  /** By role: the last step that sends its uid; infinite for one in the result. */
  readonly #readIn = new Map<string, number>()

  constructor({ steps, outputs = {} }: FlowDeclaration) {
    for (const [index, step] of steps.entries()) {
      if (isWait(step)) for (const role of Object.keys(step.wait)) this.#waitedIn.set(role, index)
      for (const { path } of pathsOf(step)) this.#readIn.set(toRole(path), index)
    }
    for (const path of pathsInOutputs(outputs)) this.#readIn.set(toRole(path), Number.POSITIVE_INFINITY)
  }

  /** True if a flow that is in the step still needs the role. A role that no step waits for is needed until the end. */
  isNeeded(role: string, step: number): boolean {
    return (this.#waitedIn.get(role) ?? Number.POSITIVE_INFINITY) >= step || (this.#readIn.get(role) ?? -1) > step
  }
}

function toRole(path: string): string {
  return path.split('.')[0] ?? ''
}
