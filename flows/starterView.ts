import type { FlowDeclaration } from './declaration.ts'
import { allSteps } from './kinds/index.ts'

/**
 * The part of a declaration that a starter depends on: the fields of its input, or the operation that names them, and the
 * answers of its ask steps. Client and worker compare fingerprints of it.
 */
export function toStarterView({ input, steps: outer }: FlowDeclaration): unknown {
  const steps = allSteps(outer)
  const operations = steps.flatMap(step => ('book' in step ? [step.book] : 'call' in step ? [step.call] : []))
  const answers = steps.flatMap(step => ('ask' in step ? [{ step: step.name, answers: step.ask }] : []))
  return { input: input ?? operations[0] ?? null, answers }
}
