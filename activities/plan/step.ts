import {
  type Json,
  type PlannedGoTo,
  type PlannedOnError,
  type PlannedStep,
  pathsIn,
  resolve,
  type Source,
  simplify,
  type Values,
} from '#flows'
import type { BookStep, CallStep, FlowDeclaration, GoTo, OnError, RunStep, Step } from '#flows/declaration'
import { addCancels, keptIn, type StepDraft } from './cancels.ts'
import { rejectLargeStep } from './input.ts'
import { requireOperation, sourceInCasing, toCallRequest, toRequest } from './request.ts'
import { planRoles } from './roles.ts'
import { rejectWindows, type ScaledInput, toEffectLength, toMilliseconds, toTimedWindow, toWindow } from './windows.ts'

interface Context {
  readonly input: ScaledInput
  readonly values: Values
  /** The input is the checked request of an operation. */
  readonly isRequest: boolean
  /** The step to which a `goTo` of this step leads for this input. */
  readonly follow: (from: Step, goTo: GoTo) => PlannedGoTo
}

/** The steps that the input does not leave out. */
export function planSteps(declaration: FlowDeclaration, values: Values, input: ScaledInput): PlannedStep[] {
  const all = declaration.steps.map((step, declared) => ({
    step,
    declared,
    when: step.when === undefined ? true : simplify(step.when, values, isInput),
  }))
  const planned = all.filter(({ when }) => when !== false)
  rejectWindows(
    planned.map(({ step }) => step),
    input,
  )
  const context: Context = {
    input,
    values,
    isRequest: declaration.input === undefined,
    follow: (from, { goTo }) => {
      const index = all.findIndex(({ step }) => step === from)
      // A name can occur twice, under conditions that exclude each other.
      const target = all.findIndex(({ step }, at) => at > index && step.name === goTo)
      const next = target < 0 ? undefined : planned.find(({ declared }) => declared >= target)
      if (next === undefined) return { goTo: 'end' }
      const { name } = next.step
      const nearest = planned.find(({ step, declared }) => declared > index && step.name === name)
      return { goTo: name, ...(nearest !== next && { index: planned.indexOf(next) }) }
    },
  }
  const drafts = planned.map(({ step, when, declared }, index) => {
    const { name, summary, leaves } = step
    const common = {
      name,
      summary,
      ...(typeof when === 'object' && { when }),
      ...(leaves !== undefined && { leaves }),
      ...(declared !== index && { declared }),
    }
    return { ...planKind(step, context), ...common } as StepDraft
  })
  return addCancels(drafts, index => keptIn(planned[index]?.step))
}

function planKind(step: Step, context: Context) {
  const { input, values } = context
  const { name } = step
  const follow = (goTo: GoTo) => context.follow(step, goTo)
  const onTimeout =
    'onTimeout' in step && typeof step.onTimeout === 'object'
      ? follow(step.onTimeout)
      : ('onTimeout' in step && step.onTimeout) || null
  const onError = 'onError' in step && step.onError ? { onError: followAll(step.onError, follow) } : {}
  if ('book' in step) {
    const operation = requireOperation(step.book)
    const request = toRequestSource(step, context, request => toRequest(operation, request, input.caseNo))
    const window = toEffectLength(name, step.window, input)
    return { kind: 'book', operation: step.book, request, roles: planRoles(step, request), window, ...onError }
  }
  if ('wait' in step) {
    const { wait, onLockerOutOfService, completedBy } = step
    return {
      kind: 'wait',
      reached: wait,
      window: toTimedWindow(name, step.window, input, values),
      onTimeout,
      ...(onLockerOutOfService && { onLockerOutOfService }),
      ...(completedBy && { completedBy }),
    }
  }
  if ('ask' in step) {
    return {
      kind: 'ask',
      answers: step.ask,
      who: step.who,
      window: toTimedWindow(name, step.window, input, values),
      onTimeout,
    }
  }
  if ('call' in step) {
    const operation = requireOperation(step.call)
    return {
      kind: 'call',
      operation: step.call,
      request: toRequestSource(step, context, request => toCallRequest(operation, request, input.caseNo)),
      ...(step.keep && { keep: [...step.keep] }),
      window: toEffectLength(name, step.window, input),
      ...onError,
    }
  }
  if ('run' in step) return { ...planRun(step, context), ...onError }
  const until = toWindow(name, typeof step.sleep === 'string' ? step.sleep : step.sleep.until, input, values)
  return { kind: 'sleep', until }
}

/** From a quarter of a second, doubled up to half a minute. */
const standardRetry = { initialInterval: 250, maximumInterval: 30_000, backoffCoefficient: 2 }

function planRun(step: RunStep, { input, values }: Context) {
  const { name, run: activity, keep, undo, heartbeat, retry = 'standard', taskQueue } = step
  if (pathsIn(step.with).every(isInput)) rejectLargeStep(name, resolve(step.with, values))
  const timeout = toMilliseconds(step.timeout, name)
  return {
    kind: 'run',
    activity,
    with: step.with,
    keep,
    undo,
    timeout,
    window: toEffectLength(name, step.window, input, timeout + 3_600_000),
    ...(heartbeat !== undefined && { heartbeat: toMilliseconds(heartbeat, name) }),
    retry: toRetry(retry, name),
    ...(taskQueue !== undefined && { taskQueue }),
  }
}

function toRetry(retry: NonNullable<RunStep['retry']>, name: string) {
  if (retry === 'standard') return standardRetry
  if (retry === 'once') return { maximumAttempts: 1 }
  const { initialInterval: initial, maximumInterval: maximum, ...rest } = retry
  const initialInterval = initial === undefined ? standardRetry.initialInterval : toMilliseconds(initial, name)
  const longest = maximum === undefined ? standardRetry.maximumInterval : toMilliseconds(maximum, name)
  // The SDK refuses a maximum below the initial interval, and every workflow task of the step would fail.
  return { ...standardRetry, ...rest, initialInterval, maximumInterval: Math.max(longest, initialInterval) }
}

/**
 * The request of a step. One that reads the input only is checked now, and not days later, when the flow comes to it.
 * @param check returns the request as it is sent
 */
function toRequestSource(
  step: BookStep | CallStep,
  { values, isRequest }: Context,
  check: (request: Record<string, unknown>) => Record<string, unknown>,
): Source {
  const { request } = step
  if (request !== undefined && !pathsIn(request).every(isInput)) {
    return sourceInCasing('book' in step ? step.book : step.call, request)
  }
  if (request === undefined && isRequest) return { value: values.input ?? null }
  const value = request === undefined ? values.input : resolve(request, values)
  return { value: check(value as Record<string, unknown>) as Json }
}

function followAll(onError: OnError, follow: (goTo: GoTo) => PlannedGoTo): PlannedOnError {
  return Object.fromEntries(
    Object.entries(onError).map(([code, way]) => [code, typeof way === 'object' ? follow(way) : way]),
  )
}

function isInput(path: string): boolean {
  return path.startsWith('input.')
}
