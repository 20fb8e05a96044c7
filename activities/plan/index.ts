import { fingerprint } from '#contract'
import { reachability } from '#contract/machines'
import type { ServiceProfile } from '#contract/terms'
import {
  allSteps,
  flows as builtIn,
  checkFields,
  type FlowDeclaration,
  type FlowPlan,
  findInputFields,
  findInputStep,
  isUid,
  type Json,
  type PlanFlowInput,
  type PlannedParallel,
  type PlannedStep,
  type PollInterval,
  pathsIn,
  pathsInOutputs,
  pathsInWhen,
  pickFields,
  resolveOutputs,
  sentBy,
  toStarterView,
  type Values,
} from '#flows'
import { nonRetryable } from '../failures.ts'
import { type NotificationSettings, planNotifications } from '../notifications.ts'
import { type ReadFlowInput, readInput, rejectLargeOutputs, rejectLargePlan } from './input.ts'
import { type CallbackExpectation, toPollInterval } from './pollInterval.ts'
import { requireOperation, toRequest } from './request.ts'
import { planSteps } from './step.ts'

export interface PlanSettings {
  /** The flows of this worker; by default those of the project. */
  readonly flows?: Readonly<Record<string, FlowDeclaration>>
  readonly profile: ServiceProfile
  readonly pollInterval: PollInterval
  /** The worker's knowledge about callbacks; by default they arrive. */
  readonly callbacks?: CallbackExpectation
  /** Milliseconds that a create without a response may take to reach the service; by default six minutes. */
  readonly createDelay?: number
  /** Without it the flows send no notifications. */
  readonly notifications?: NotificationSettings
  /**
   * For tests in staging: how far the clock of a new flow is ahead of Temporal's, in milliseconds. Such flows accept
   * `moveClock`.
   */
  readonly clockAhead?: (caseNo: string) => number
  /** For tests in staging: the service's time at a moment of the machine's clock, both in milliseconds since 1970. */
  readonly clock?: (moment: number) => number
  /** For tests in staging: scales every window, from above 0 to 1. */
  readonly windowFactor?: number
  /** Milliseconds that a window of a wait or of a question must have. */
  readonly minWindow?: number
}

/** The service's time at a moment of the machine's clock, in milliseconds since 1970. */
export function timeIn({ clock = same => same }: PlanSettings, moment: number): number {
  return clock(moment)
}

/** Longer than the five minutes that the API client waits for the response to a create. Milliseconds. */
const maxCreateDelay = 6 * 60_000

/**
 * Resolves everything that a run depends on, for its history. A changed declaration, rule or setting then applies to new
 * flows only. A changed module constant would replay silently, and change running flows.
 */
export function planFlow(settings: PlanSettings, planInput: PlanFlowInput): FlowPlan {
  const { profile, pollInterval, createDelay = maxCreateDelay, callbacks, notifications, flows = builtIn } = settings
  const declaration = requireDeclaration(flows, planInput.flow)
  const input = readInput(planInput)
  rejectOther(declaration, input)
  const values: Values = { input: readFields(declaration, input) }
  const { windowFactor, minWindow } = settings
  const scales = { ...(windowFactor !== undefined && { windowFactor }), ...(minWindow !== undefined && { minWindow }) }
  const steps = planSteps(declaration, values, { ...input, ...scales })
  if (!profile.idempotent) rejectAmbiguous(steps)
  const { outputs = {} } = declaration
  rejectLargeOutputs(resolveOutputs(outputs, values))
  const plan: FlowPlan = {
    version: 3,
    flow: declaration.name,
    summary: declaration.summary,
    caseNo: input.caseNo,
    fingerprint: fingerprint(input.request),
    input: pickRead(values, [...steps.flatMap(pathsOf), ...pathsInOutputs(outputs)]),
    steps,
    outputs,
    profile,
    reachable: steps.some(({ kind }) => kind === 'book') ? toReachable() : {},
    polls: toPollInterval(pollInterval, callbacks),
    createDelay,
    ...toAttributes(values, steps),
    ...(input.adopt === true && { adopt: true as const }),
    ...(notifications !== undefined && { notifications: planNotifications(notifications) }),
    ...(windowFactor !== undefined && { windowFactor }),
    ...(settings.clockAhead && { clock: { ahead: settings.clockAhead(input.caseNo) } }),
  }
  rejectLargePlan(plan)
  return plan
}

function toReachable(): FlowPlan['reachable'] {
  return Object.fromEntries(Object.entries(reachability()).map(([from, to]) => [from, [...to]]))
}

function requireDeclaration(declared: NonNullable<PlanSettings['flows']>, flow: string): FlowDeclaration {
  const declaration = Object.hasOwn(declared, flow) ? declared[flow] : undefined
  if (declaration === undefined) {
    throw nonRetryable('UnknownFlow', `flow: must be one of ${Object.keys(declared).join(', ')}, got ${flow}.`)
  }
  return declaration
}

/** Rejects a start by a client with another declaration: the flow would misread its input, or wait for other answers. */
function rejectOther(declaration: FlowDeclaration, { declaration: known }: ReadFlowInput): void {
  if (known === undefined || known === null || known === fingerprint(toStarterView(declaration))) return
  const { name, input } = declaration
  const steps = allSteps(declaration.steps)
  const fields = input === undefined ? [] : [`the input ${Object.keys(input).join(', ')}`]
  const asks = steps.flatMap(step => ('ask' in step ? [`${step.name}: ${Object.keys(step.ask).join(', ')}`] : []))
  const answers = asks.length > 0 ? [`the answers ${asks.join('; ')}`] : []
  const has = [...fields, ...answers].join(', and ')
  throw nonRetryable(
    'FlowDiffers',
    `declaration: must be the worker's, with the same types of fields: its ${name} has ${has || 'another operation or other answers'}.`,
  )
}

/** The input in its declared form: checked by its fields, or by the operation whose request it is. */
function readFields(declaration: FlowDeclaration, { request, caseNo }: ReadFlowInput): Json {
  const step = findInputStep(declaration)
  if (step !== undefined) {
    return toRequest(requireOperation('book' in step ? step.book : step.call), request, caseNo) as Json
  }
  const fields = findInputFields(declaration) ?? {}
  const faults = checkFields(fields, request, 'request')
  if (faults.length > 0) throw nonRetryable('InvalidFlowInput', faults.join(' '))
  return pickFields(fields, request)
}

/** The paths that a running flow reads. */
function pathsOf(step: PlannedStep): string[] {
  return [...pathsInWhen(step.when), ...pathsIn(sentBy(step)), ...pathsOfBlock(step)]
}

function pathsOfBlock(step: PlannedStep): string[] {
  if (step.kind === 'switch') return step.cases.flatMap(({ when }) => pathsInWhen(when))
  if (step.kind === 'repeat') return pathsInWhen(step.until)
  return step.kind === 'forEach' ? [step.in, ...pathsIn(step.collect)] : []
}

/** Each waiting flow keeps its plan in memory, so it has only those fields of the input that are still to be read. */
function pickRead({ input }: Values, paths: readonly string[]): Record<string, Json> {
  const names = new Set(
    paths.map(path => path.split('.')).flatMap(([root, name]) => (root === 'input' && name ? [name] : [])),
  )
  return Object.fromEntries(Object.entries(input ?? {}).filter(([name]) => names.has(name)))
}

/**
 * Without idempotency keys the bookings of a flow are told apart by their case number, time and links, which a late
 * duplicate of an earlier one shares, and one that is under way beside it.
 */
function rejectAmbiguous(steps: readonly PlannedStep[]): void {
  const books = steps.flatMap((step, index) => (step.kind === 'book' ? [{ step, index }] : []))
  const isInLoop = (at: number) =>
    steps.some((block, from) => (block.kind === 'forEach' || block.kind === 'repeat') && from < at && at < block.end)
  const branchAt = (block: PlannedParallel, at: number) => block.branches.find(({ from, to }) => from <= at && at < to)
  const areBeside = (one: number, other: number) =>
    steps.some(block => {
      if (block.kind !== 'parallel') return false
      const [first, second] = [branchAt(block, one), branchAt(block, other)]
      return first !== undefined && second !== undefined && first !== second
    })
  const second = books.find(({ step, index }, nth) => {
    const earlier = books.slice(0, nth)
    return (
      isInLoop(index) || earlier.some(other => other.step.operation === step.operation || areBeside(index, other.index))
    )
  })
  if (second === undefined) return
  throw nonRetryable(
    'AmbiguousBooking',
    `steps: must not book with one operation twice, or in two branches, if the service has no idempotency keys; ${second.step.name} is the second.`,
  )
}

/** The pick up point and the user in the search attributes. */
function toAttributes({ input }: Values, steps: readonly PlannedStep[]): Pick<FlowPlan, 'pickUpPoint' | 'user'> {
  const requests = steps.flatMap(step =>
    step.kind === 'book' && isQuoted(step.request) ? [step.request.value as Readonly<Record<string, Json>>] : [],
  )
  const all = [input as Readonly<Record<string, Json>>, ...requests]
  const find = (...names: string[]) => all.flatMap(holder => names.map(name => holder[name])).find(isKeyword) ?? null
  return { pickUpPoint: find('PupUid', 'pickUpPointUid'), user: find('ToUserUid', 'FromUserUid') }
}

/**
 * A field of that name can be a text of any length, and Temporal terminates a flow whose search attribute is too long. It never
 * lists one with the character NUL, which PostgreSQL cannot store.
 */
function isKeyword(value: unknown): value is string {
  return isUid(value) && !/[\p{Cc}\p{Cs}]/u.test(value)
}

function isQuoted(request: unknown): request is { value: Json } {
  return request !== null && typeof request === 'object' && 'value' in request
}
