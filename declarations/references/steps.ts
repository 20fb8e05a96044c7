import { type Duration, parseDuration, stateCodes } from '#contract/terms'
import { bookings, pathOfPoint } from '#flows'
import type {
  AskStep,
  BookStep,
  CallStep,
  Comparison,
  FlowDeclaration,
  Json,
  PointInTime,
  RunStep,
  Source,
  Step,
  WaitStep,
} from '#flows/declaration'
import { type FieldPath, type Finding, suggest, valueAt } from '../fault.ts'
import { allComparisons, connectives } from '../model/conditions.ts'
import { fromSchema } from '../model/contractType.ts'
import { findTarget, inputOf, isAsk, isBook, isCall, isRun, isWait, requestStep } from '../model/flow.ts'
import { callable, operationOf } from '../model/operations.ts'
import { findMember, type Scope, scopeAt } from '../model/scope.ts'
import { describeType, type Members } from '../model/valueType.ts'
import { checkPaths, checkRequest, isValue, mismatch, pathFindings, type SourceContext, typeOfJson } from './sources.ts'

/** Services forget idempotency keys after a day. */
const longestBooking: Duration = '12h'

/** The parts of the worker that checks. Absent ones are not checked. */
export interface WorkerParts {
  readonly activities?: ReadonlySet<string> | undefined
  /** True if the worker has a calendar file. */
  readonly calendars?: boolean | undefined
}

interface PointContext extends Pick<WorkerParts, 'calendars'> {
  readonly scope: Scope
}

/** Findings of one step, in relation to the steps before it and to the contract. */
export function stepFindings(flow: FlowDeclaration, index: number, { activities, calendars }: WorkerParts): Finding[] {
  const step = flow.steps[index]
  if (step === undefined) return []
  const at: FieldPath = ['steps', index]
  const scope = scopeAt(flow, index)
  const context = { scope, present: presentIn(step) }
  const points: PointContext = { scope, ...(calendars !== undefined && { calendars }) }
  return [
    ...whenFindings(scope, step, [...at, 'when']),
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

/** Paths that the condition of a step demands: a comparison with a value, at the top of the condition. */
function presentIn({ when }: Step): ReadonlySet<string> {
  if (when === undefined) return new Set()
  const { any, all, not } = connectives(when)
  const parts = all ?? (any || not ? [] : [when])
  const demanded = parts.flatMap(part =>
    Object.entries(part as Readonly<Record<string, Comparison>>).filter(([, comparison]) => demands(comparison)),
  )
  return new Set(demanded.map(([path]) => path))
}

function demands(comparison: Comparison): boolean {
  if (typeof comparison !== 'object') return comparison !== false
  if (comparison === null) return false
  if ('present' in comparison) return comparison.present
  if ('is' in comparison) return typeof comparison.is !== 'object' && comparison.is !== false
  return (
    'lessThan' in comparison || ('in' in comparison && !comparison.in.includes(null) && !comparison.in.includes(false))
  )
}

function whenFindings(scope: Scope, { when }: Step, at: FieldPath): Finding[] {
  return allComparisons(when).flatMap(([path, comparison]) => {
    const place = placeOf(when, path, at)
    const member = findMember(scope, path)
    if ('unknown' in member) return pathFindings(scope, path, place)
    const { type } = member
    const constants: readonly Json[] =
      typeof comparison !== 'object' || comparison === null
        ? [comparison]
        : 'in' in comparison
          ? comparison.in
          : [('is' in comparison && comparison.is) ?? null, ('not' in comparison && comparison.not) ?? null].filter(
              (value): value is Exclude<Json, object> => typeof value !== 'object' && value !== false,
            )
    const wrong = constants.flatMap(constant => {
      const given = typeOfJson(constant)
      // A comparison with false or null asks whether an optional field is absent.
      if (given === undefined || (constant === false && (member.optional || member.nullable))) return []
      return isValue(constant, given, type)
        ? []
        : [mismatch(place, type, `it is compared with ${JSON.stringify(constant)}`)]
    })
    const sources = typeof comparison === 'object' && comparison !== null ? comparison : {}
    return [
      ...wrong,
      ...Object.entries(sources).flatMap(([key, source]) =>
        ['is', 'not', 'lessThan'].includes(key)
          ? checkPaths({ scope, present: new Set() }, source as Source, [...place, key])
          : [],
      ),
      ...('lessThan' in sources && !['number', 'integer', 'instant', 'date', 'any'].includes(type.kind)
        ? [mismatch(place, { kind: 'number' }, `"${path}" is ${describeType(type)}`)]
        : []),
    ]
  })
}

/** The place of a comparison below any, all and not. */
function placeOf(when: unknown, path: string, at: FieldPath): FieldPath {
  if (typeof when !== 'object' || when === null || Object.hasOwn(when, path)) return [...at, path]
  for (const [key, below] of Object.entries(when)) {
    for (const inner of Array.isArray(below) ? below.keys() : [undefined]) {
      const value = inner === undefined ? below : below[inner]
      const place = placeOf(value, path, inner === undefined ? [...at, key] : [...at, key, inner])
      if (valueAt(when, place.slice(at.length)) !== undefined) return place
    }
  }
  return [...at, path]
}

function operationFindings(
  flow: FlowDeclaration,
  step: BookStep | CallStep,
  context: SourceContext,
  at: FieldPath,
): Finding[] {
  const operation = operationOf(step)
  const name = isBook(step) ? step.book : step.call
  if (operation === undefined) {
    const names = isBook(step) ? Object.keys(bookings) : callable
    const kind = isBook(step) ? 'that books' : 'that books nothing'
    const text = `must be an operation ${kind}, "${name}" is not one.${suggest(name, names)}`
    return [{ at: [...at, isBook(step) ? 'book' : 'call'], code: 'UnknownOperation', text }]
  }
  const { window } = step
  const tooLong = isBook(step) && window !== undefined && millis(window) > millis(longestBooking)
  return [
    ...requestFindings(flow, step, context, at),
    ...(isCall(step) ? keepFindings(fromSchema(operation.response), step, at) : []),
    ...(tooLong
      ? [
          {
            at: [...at, 'window'],
            code: 'WindowTooLong' as const,
            text: `must be at most ${longestBooking}, it is ${window}.`,
          },
        ]
      : []),
    ...Object.keys(step.onError ?? {})
      .filter(code => !operation.errors.some(known => known === code))
      .map(code => ({
        at: [...at, 'onError', code],
        code: 'UnknownErrorCode' as const,
        text: `must be a refusal of ${name}: ${operation.errors.join(', ')}.${suggest(code, operation.errors)}`,
      })),
  ]
}

function requestFindings(
  flow: FlowDeclaration,
  step: BookStep | CallStep,
  context: SourceContext,
  at: FieldPath,
): Finding[] {
  const schema = operationOf(step)?.request
  if (schema === undefined) return []
  if (step.request !== undefined) return checkRequest(context, step.request, schema, [...at, 'request'])
  const first = requestStep(flow)
  if (step !== first) {
    const text = `must be given, since the input of the flow is the request of "${first?.name}".`
    return [{ at: [...at, 'request'], code: 'MissingField', text }]
  }
  if (flow.input === undefined) return []
  const given = Object.fromEntries(Object.keys(flow.input).map(name => [name, { from: `input.${name}` as const }]))
  const scope = { ...context.scope, input: inputOf(flow) }
  return checkRequest({ ...context, scope }, given, schema, ['input']).map(finding =>
    finding.at.length > 2 ? { ...finding, at: finding.at.slice(0, 2) } : finding,
  )
}

function keepFindings(response: Members, { call, keep = [] }: CallStep, at: FieldPath): Finding[] {
  return [...keep.entries()]
    .filter(([, name]) => !Object.hasOwn(response, name))
    .map(([place, name]) => ({
      at: [...at, 'keep', place],
      code: 'UnknownField',
      text: `is not a field of the response of ${call}.${suggest(name, Object.keys(response))}`,
    }))
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

function windowFindings(
  flow: FlowDeclaration,
  index: number,
  step: WaitStep | AskStep,
  points: PointContext,
): Finding[] {
  const { window, onTimeout } = step
  const at: FieldPath = ['steps', index]
  const isGiven = onTimeout !== undefined
  return [
    ...(window !== null && !isGiven
      ? [
          {
            at: [...at, 'onTimeout'],
            code: 'NoWayOn' as const,
            text: `must be given, the window ${describeWindow(window)}has no way on.`,
          },
        ]
      : []),
    ...(window === null && isGiven
      ? [{ at: [...at, 'onTimeout'], code: 'NoWayOn' as const, text: 'must not be given, the step has no window.' }]
      : []),
    ...(typeof window === 'object' && window !== null ? pointFindings(points, window, [...at, 'window']) : []),
    ...(typeof onTimeout === 'object' ? goToFindings(flow, index, onTimeout.goTo, [...at, 'onTimeout', 'goTo']) : []),
  ]
}

function describeWindow(window: Duration | PointInTime): string {
  return typeof window === 'string' ? `of ${window} ` : ''
}

function goToFindings(flow: FlowDeclaration, index: number, goTo: string, at: FieldPath): Finding[] {
  if (findTarget(flow, index, goTo) !== undefined) return []
  const later = flow.steps.slice(index + 1).map(({ name }) => name)
  if (flow.steps.some(({ name }) => name === goTo)) {
    const what = flow.steps[index]?.name === goTo ? 'is this step' : 'comes before'
    return [{ at, code: 'BackwardGoTo', text: `must name a later step, "${goTo}" ${what}.` }]
  }
  return [
    { at, code: 'UnknownStep', text: `must name a later step or "end", "${goTo}" is not one.${suggest(goTo, later)}` },
  ]
}

function pointFindings({ scope, calendars = true }: PointContext, point: PointInTime, at: FieldPath): Finding[] {
  const key = 'at' in point ? 'at' : 'from'
  const path = pathOfPoint(point)
  return [
    ...(path === undefined ? [] : pathOfPointFindings(scope, path, [...at, key])),
    ...(calendars || !needsCalendar(point) ? [] : [noCalendar(point, at)]),
  ]
}

function pathOfPointFindings(scope: Scope, path: string, at: FieldPath): Finding[] {
  const member = findMember(scope, path)
  if ('unknown' in member) return pathFindings(scope, path, at)
  const isTime = ['instant', 'date', 'any'].includes(member.type.kind)
  return isTime ? [] : [mismatch(at, { kind: 'instant' }, `"${path}" is ${describeType(member.type)}`)]
}

function needsCalendar(point: PointInTime): boolean {
  return 'workingTime' in point || ('next' in point && point.workingDay === true)
}

function noCalendar(point: PointInTime, at: FieldPath): Finding {
  const key = 'workingTime' in point ? 'workingTime' : 'workingDay'
  const text = 'must have a calendar: LOCKERFLOW_CALENDARS of this worker names none.'
  return { at: [...at, key], code: 'NoCalendar', text }
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
      text: `must be an activity of this worker, or the step must have a taskQueue: "${name}" is not registered.${suggest(name, activities ?? [])}`,
    })),
    ...(heartbeat !== undefined && millis(heartbeat) > millis(timeout)
      ? [
          {
            at: [...at, 'heartbeat'],
            code: 'WindowTooLong' as const,
            text: `must be at most the timeout of ${timeout}.`,
          },
        ]
      : []),
    ...(window !== undefined && millis(timeout) > millis(window)
      ? [{ at: [...at, 'timeout'], code: 'WindowTooLong' as const, text: `must be at most the window of ${window}.` }]
      : []),
  ]
}

function errorFindings(flow: FlowDeclaration, index: number, step: Step): Finding[] {
  const ways = 'onError' in step ? Object.entries(step.onError ?? {}) : []
  return ways.flatMap(([code, way]) =>
    typeof way === 'object' ? goToFindings(flow, index, way.goTo, ['steps', index, 'onError', code, 'goTo']) : [],
  )
}

function millis(duration: Duration): number {
  return parseDuration(duration) ?? Number.POSITIVE_INFINITY
}
