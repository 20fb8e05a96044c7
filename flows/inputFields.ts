import type { Fields } from './declaration/fields.ts'
import type { FlowDeclaration } from './declaration/flow.ts'
import type { BookStep, CallStep, Step } from './declaration/steps.ts'

/** The step whose operation's request is the input of a flow that declares none; undefined for declared fields. */
export function findInputStep({ input, steps }: FlowDeclaration): BookStep | CallStep | undefined {
  const first = steps.find((step: Step) => 'book' in step || 'call' in step)
  return input === undefined && first?.request === undefined ? first : undefined
}

/** The fields of a flow's input; undefined if its input is the request of an operation. */
export function findInputFields(flow: FlowDeclaration): Fields | undefined {
  return flow.input ?? (findInputStep(flow) === undefined ? {} : undefined)
}
