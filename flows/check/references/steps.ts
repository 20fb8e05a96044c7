import type { FlowDeclaration, Step } from '#flows/declaration'
import type { FieldPath, Finding } from '../fault.ts'
import { checkOf } from '../kinds.ts'
import { endsFlow, isRun } from '../model/flow.ts'
import { scopeAt } from '../model/scope.ts'
import { pathsPresentIn, whenFindings } from './conditions.ts'
import { goToFindings } from './values/windows.ts'

/** The parts of the worker that checks. Absent ones are not checked. */
export interface WorkerParts {
  readonly activities?: ReadonlySet<string> | undefined
  /** True if the worker has a calendar file. */
  readonly calendars?: boolean | undefined
}

/** Findings of one step, in relation to the steps before it and to the contract. */
export function stepFindings(flow: FlowDeclaration, index: number, { activities, calendars }: WorkerParts): Finding[] {
  const step = flow.steps[index]
  if (step === undefined) return []
  const at: FieldPath = ['steps', index]
  const scope = scopeAt(flow, index)
  const context = { flow, index, at, scope, present: pathsPresentIn(step), activities, calendars }
  return [
    ...whenFindings(scope, step.when, [...at, 'when']),
    ...(checkOf(step).findings?.(context, step) ?? []),
    ...errorFindings(flow, index, step),
  ]
}

function errorFindings(flow: FlowDeclaration, index: number, step: Step): Finding[] {
  const ways = 'onError' in step ? Object.entries(step.onError ?? {}) : []
  return ways.flatMap(([code, way]): Finding[] => {
    const at = ['steps', index, 'onError', code]
    if (isRun(step) && endsFlow(code)) {
      const text = `must be a code that the activity fails with: after ${code} the flow always fails.`
      return [{ at, code: 'UnknownErrorCode', text }]
    }
    return typeof way === 'object' ? goToFindings(flow, index, way.goTo, [...at, 'goTo']) : []
  })
}
