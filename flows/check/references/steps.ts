import type { FlowDeclaration } from '#flows/declaration'
import type { Finding } from '../fault.ts'
import { checkOf } from '../kinds.ts'
import { endsFlow, isRun } from '../model/flow.ts'
import { scopeAt } from '../model/scope.ts'
import type { PlacedStep } from '../model/tree.ts'
import { pathsPresentIn, whenFindings } from './conditions.ts'
import { leavesFindings } from './leaves.ts'
import { goToFindings } from './values/windows.ts'

/** The parts of the worker that checks. Absent ones are not checked. */
export interface WorkerParts {
  readonly activities?: ReadonlySet<string> | undefined
  /** True if the worker has a calendar file. */
  readonly calendars?: boolean | undefined
}

/** Findings of one step, in relation to the steps before it and to the contract. */
export function stepFindings(
  flow: FlowDeclaration,
  placed: PlacedStep,
  { activities, calendars }: WorkerParts,
): Finding[] {
  const { step, index, at } = placed
  const scope = scopeAt(flow, index)
  const context = { flow, index, at, placed, scope, present: pathsPresentIn(step), activities, calendars }
  return [
    ...whenFindings(scope, step.when, [...at, 'when']),
    ...(checkOf(step).findings?.(context, step) ?? []),
    ...leavesFindings(flow, placed),
    ...errorFindings(placed),
  ]
}

function errorFindings(placed: PlacedStep): Finding[] {
  const { step } = placed
  const ways = 'onError' in step ? Object.entries(step.onError ?? {}) : []
  return ways.flatMap(([code, way]): Finding[] => {
    const at = [...placed.at, 'onError', code]
    if (isRun(step) && endsFlow(code)) {
      const text = `must be a code that the activity fails with: after ${code} the flow always fails.`
      return [{ at, code: 'UnknownErrorCode', text }]
    }
    return typeof way === 'object' ? goToFindings(placed, way.goTo, [...at, 'goTo']) : []
  })
}
