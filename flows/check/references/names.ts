import { findRoles } from '#flows'
import type { FlowDeclaration, Step } from '#flows/declaration'
import { type Finding, suggest } from '../fault.ts'
import { bookedBy, continuesAfter, isAsk, isBook, isRun, isWait, outputOf } from '../model/flow.ts'
import { type PlacedStep, treeOf } from '../model/tree.ts'

/** Names of steps and roles that another one of the flow has. */
export function nameFindings(flow: FlowDeclaration): Finding[] {
  const tree = treeOf(flow)
  const steps = tree.map(({ step }) => step)
  return tree.flatMap(placed => [
    ...stepFindings(steps, placed),
    ...renamingFindings(placed),
    ...fieldFindings(placed),
    ...roleFindings(steps, placed),
  ])
}

function stepFindings(steps: readonly Step[], { step: { name }, index, at }: PlacedStep): Finding[] {
  if (steps.findIndex(other => other.name === name) === index) return []
  const text = `must be unique, but an earlier step is "${name}". Where only one of them runs, give them two names in the cases of a "switch" step.`
  return [{ at: [...at, 'name'], code: 'DuplicateName', text }]
}

/** Fields with the name of a built-in field of the step's output: one would hide the other. */
function fieldFindings({ step, at }: PlacedStep): Finding[] {
  const code = 'NameTaken'
  if (isRun(step) && continuesAfter(step) && Object.hasOwn(step.keep, 'error')) {
    const text = 'must have another name, since "error" is the code of a failure that the flow continues after.'
    return [{ at: [...at, 'keep', 'error'], code, text }]
  }
  if (!isAsk(step)) return []
  return Object.keys(step.ask)
    .filter(answer => Object.hasOwn(step.ask[answer] ?? {}, 'answer'))
    .map(answer => {
      const text = 'must have another name, since "answer" is the name of the answer in the output of the step.'
      return { at: [...at, 'ask', answer, 'answer'], code, text }
    })
}

function renamingFindings({ step, at }: PlacedStep): Finding[] {
  const roles = Object.keys((isBook(step) && findRoles(step.book)) || {})
  return Object.keys((isBook(step) && step.as) || {})
    .filter(role => !roles.includes(role))
    .map(role => ({
      at: [...at, 'as', role],
      code: 'UnknownRole',
      text: `must be one of the roles of the operation: ${roles.join(', ')}.${suggest(role, roles)}`,
    }))
}

function roleFindings(steps: readonly Step[], { step, index, at }: PlacedStep): Finding[] {
  const roles = bookedBy(step)
  return roles.flatMap((role, place) => {
    const owner = steps.slice(0, index).find(other => bookedBy(other).includes(role))
    const isOutput = steps.some(other => other.name === role && !isWait(other) && outputOf(other) !== undefined)
    const taken =
      roles.indexOf(role) < place
        ? 'another role of this step is'
        : owner
          ? `a role of the step "${owner.name}" is`
          : isOutput && 'a step with outputs is'
    if (!taken) return []
    const text = `must give the role another name, since ${taken} "${role}".`
    return [{ at: [...at, 'as'], code: 'NameTaken' as const, text }]
  })
}
