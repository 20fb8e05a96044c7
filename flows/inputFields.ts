import type { Fields } from './declaration/fields.ts'
import type { FlowDeclaration } from './declaration.ts'
import type { BookStep } from './kinds/book/step.ts'
import type { CallStep } from './kinds/call/step.ts'
import { allSteps, kindOf, type Step } from './kinds/index.ts'

/** The step whose operation's request is the input of a flow that declares none; undefined for declared fields. */
export function findInputStep({ input, steps }: FlowDeclaration): BookStep | CallStep | undefined {
  const first = allSteps(steps).find(step => 'book' in step || 'call' in step)
  return input === undefined && first?.request === undefined ? first : undefined
}

/** The steps whose windows an input can set. A step that ends at a moment only, or with a message only, has none. */
export function findWindowed(steps: readonly Step[]): readonly string[] {
  return [...new Set(steps.filter(hasWindow).map(({ name }) => name))]
}

function hasWindow(step: Step): boolean {
  const kind = kindOf(step)
  return kind.hasWindow?.(step) ?? kind.end(step) !== null
}

/** The fields of a flow's input; undefined if its input is the request of an operation. */
export function findInputFields(flow: FlowDeclaration): Fields | undefined {
  return flow.input ?? (findInputStep(flow) === undefined ? {} : undefined)
}
