import { stateCodes } from '#contract/terms'
import type { FlowDeclaration, RunStep, Step, WaitStep } from '#flows/declaration'
import { type FieldPath, type Finding, suggest } from '../fault.ts'
import { endsFlow, isAsk, isBook, isCall, isRun, isWait } from '../model/flow.ts'
import { type Scope, scopeAt } from '../model/scope.ts'
import { pathsPresentIn, whenFindings } from './conditions.ts'
import { checkPaths, type SourceContext } from './findings.ts'
import { operationFindings } from './requests.ts'
import { goToFindings, type PointContext, pointFindings, toMilliseconds, windowFindings } from './windows.ts'

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
  const context = { scope, present: pathsPresentIn(step) }
  const points: PointContext = { ...context, ...(calendars !== undefined && { calendars }) }
  return [
    ...whenFindings(scope, step.when, [...at, 'when']),
    ...(isBook(step) || isCall(step) ? operationFindings(flow, step, context, at) : []),
    ...(isWait(step) ? waitFindings(scope, step, at) : []),
    ...(isWait(step) || isAsk(step) ? windowFindings(flow, index, step, points) : []),
    ...(isRun(step) ? runFindings(context, step, at, activities) : []),
    ...('sleep' in step && typeof step.sleep === 'object'
      ? pointFindings(points, step.sleep.until, [...at, 'sleep', 'until'])
      : []),
    ...errorFindings(flow, index, step),
  ]
}

function waitFindings({ roles }: Scope, { wait, completedBy, keep = [] }: WaitStep, at: FieldPath): Finding[] {
  const check = (role: string, place: FieldPath): Finding[] => {
    if (roles.has(role)) return []
    const known = roles.size > 0 ? [...roles].join(', ') : 'none'
    const text = `must be one of the roles booked before: ${known}.${suggest(role, roles)}`
    return [{ at: [...at, ...place], code: 'UnknownRole', text }]
  }
  return [
    ...Object.entries(wait).flatMap(([role, state]) => [
      ...check(role, ['wait', role]),
      ...(state === 'Cancelled'
        ? [
            {
              at: [...at, 'wait', role],
              code: 'InvalidValue' as const,
              text: `must be one of ${stateCodes.filter(code => code !== 'Cancelled').join(', ')}: a cancellation ends the flow.`,
            },
          ]
        : []),
    ]),
    ...(completedBy ? check(completedBy.role, ['completedBy', 'role']) : []),
    ...keep.flatMap((role, place) => check(role, ['keep', place])),
  ]
}

function runFindings(
  context: SourceContext,
  step: RunStep,
  at: FieldPath,
  activities: ReadonlySet<string> | undefined,
): Finding[] {
  const { run, undo, taskQueue, timeout, heartbeat, window } = step
  const names = [
    ['run', run] as const,
    ...(typeof undo === 'string' && undo !== 'nothing' ? [['undo', undo] as const] : []),
  ]
  const unregistered = names.filter(
    ([, name]) => activities !== undefined && taskQueue === undefined && !activities.has(name),
  )
  return [
    ...checkPaths(context, step.with, [...at, 'with']),
    ...unregistered.map(([field, name]) => ({
      at: [...at, field],
      code: 'UnregisteredActivity' as const,
      text: `must be an activity of this worker${field === 'undo' ? ', { leaves } or "nothing"' : ''}, or the step must have a taskQueue: "${name}" is not registered.${suggest(name, activities ?? [])}`,
    })),
    ...(heartbeat !== undefined && toMilliseconds(heartbeat) > toMilliseconds(timeout)
      ? [
          {
            at: [...at, 'heartbeat'],
            code: 'WindowTooLong' as const,
            text: `must be at most the timeout of ${timeout}.`,
          },
        ]
      : []),
    ...(window !== undefined && toMilliseconds(timeout) > toMilliseconds(window)
      ? [{ at: [...at, 'timeout'], code: 'WindowTooLong' as const, text: `must be at most the window of ${window}.` }]
      : []),
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
