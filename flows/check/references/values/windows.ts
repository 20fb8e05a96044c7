import { type Duration, parseDuration } from '#contract/terms'
import { pathOfPoint } from '#flows'
import type { AskStep, BlockStep, FlowDeclaration, PointInTime, WaitStep } from '#flows/declaration'
import { type FieldPath, type Finding, suggest } from '../../fault.ts'
import { findTarget } from '../../model/flow.ts'
import { findMember } from '../../model/scope.ts'
import { holdersOf, type PlacedStep } from '../../model/tree.ts'
import { pathFindings, type SourceContext, wrongPathType } from './findings.ts'

/** The values that a point in time can use, and the worker's calendars. */
export interface PointContext extends SourceContext {
  /** True if the worker has a calendar file; absent: not checked. */
  readonly calendars?: boolean | undefined
}

/** A step in its flow, for the checks of its kind. */
export interface StepContext extends PointContext {
  readonly flow: FlowDeclaration
  readonly index: number
  /** The place of the step. */
  readonly at: FieldPath
  readonly placed: PlacedStep
  /** The activities of the worker. Absent: not checked. */
  readonly activities?: ReadonlySet<string> | undefined
}

/** Findings of the window of a step, and of its policy. */
export function windowFindings(
  context: StepContext,
  { window = null, onTimeout }: Pick<WaitStep | AskStep | BlockStep, 'window' | 'onTimeout'>,
): Finding[] {
  const { placed, at } = context
  const isGiven = onTimeout !== undefined
  return [
    ...(window !== null && !isGiven
      ? [
          {
            at: [...at, 'onTimeout'],
            code: 'WindowPolicyMismatch' as const,
            text: `must be given, since the window ${describeWindow(window)}has no policy.`,
          },
        ]
      : []),
    ...(window === null && isGiven
      ? [
          {
            at: [...at, 'onTimeout'],
            code: 'WindowPolicyMismatch' as const,
            text: 'must not be given, since the step has no window.',
          },
        ]
      : []),
    ...(typeof window === 'object' && window !== null ? pointFindings(context, window, [...at, 'window']) : []),
    ...(typeof onTimeout === 'object' ? goToFindings(placed, onTimeout.goTo, [...at, 'onTimeout', 'goTo']) : []),
  ]
}

function describeWindow(window: Duration | PointInTime): string {
  return typeof window === 'string' ? `of ${window} ` : ''
}

/** Findings of a step that another one leads to. */
export function goToFindings(placed: PlacedStep, goTo: string, at: FieldPath): Finding[] {
  const { step, index, list } = placed
  const beside = holdersOf(placed).find(({ step: holder }) => 'parallel' in holder || 'forEach' in holder)
  if (goTo === 'end' && beside !== undefined) {
    const text = `must not be "end", since other steps of "${beside.step.name}" run beside this one. Write "done" for the end of its list.`
    return [{ at, code: 'UnknownStep', text }]
  }
  if (findTarget(placed, goTo) !== undefined) return []
  const later = list.steps.filter(other => other.index > index).map(({ step: other }) => other.name)
  if (list.steps.some(({ step: other }) => other.name === goTo)) {
    const what = step.name === goTo ? 'is this step' : 'comes before'
    return [{ at, code: 'BackwardGoTo', text: `must name a later step, but "${goTo}" ${what}.` }]
  }
  return [
    {
      at,
      code: 'UnknownStep',
      text: `must name a later step ${list.holder === undefined ? '' : 'of its list, "done" '}or "end", got "${goTo}".${suggest(goTo, later)}`,
    },
  ]
}

/** Findings of a point in time. */
export function pointFindings(context: PointContext, point: PointInTime, at: FieldPath): Finding[] {
  const { calendars = true } = context
  const key = 'at' in point ? 'at' : 'from'
  const path = pathOfPoint(point)
  return [
    ...(path === undefined ? [] : pathOfPointFindings(context, path, [...at, key])),
    ...(calendars || !needsCalendar(point) ? [] : [noCalendar(point, at)]),
  ]
}

function pathOfPointFindings({ scope, present }: PointContext, path: string, at: FieldPath): Finding[] {
  const member = findMember(scope, path)
  if ('unknown' in member) return pathFindings(scope, path, at)
  const isTime = ['instant', 'date'].includes(member.type.kind)
  if (!isTime) return [wrongPathType(at, path, member.type, { kind: 'instant' })]
  if (!member.optional || present.has(path)) return []
  // Without a moment a wait has no end, and a sleep ends at once.
  const text = `must be given: "${path}" may be absent. Add the condition { present: true }.`
  return [{ at, code: 'SourceType', text }]
}

function needsCalendar(point: PointInTime): boolean {
  return 'workingTime' in point || ('next' in point && point.workingDay === true)
}

function noCalendar(point: PointInTime, at: FieldPath): Finding {
  const key = 'workingTime' in point ? 'workingTime' : 'workingDay'
  const text = 'must have a calendar: LOCKERFLOW_CALENDARS of this worker names none.'
  return { at: [...at, key], code: 'NoCalendar', text }
}

/** Infinity for a text that is not a duration. */
export function toMilliseconds(duration: Duration): number {
  return parseDuration(duration) ?? Number.POSITIVE_INFINITY
}
