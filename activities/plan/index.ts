import { fingerprint } from '#contract'
import type { ServiceProfile } from '#contract/terms'
import {
  type AccountFlowDeclaration,
  accountFlows,
  defaultBookingWindow,
  existingShipment,
  type FlowDeclaration,
  flows,
  type Plan,
  type PlanFlowInput,
  type PlannedRole,
  type PollInterval,
  parseDuration,
  type Roles,
  rolesOf,
  toExistingShipmentUid,
} from '#flows'
import { reachability } from '#machines'
import { nonRetryable } from '../failures.ts'
import { type NotificationSettings, planNotifications } from '../notifications.ts'
import { type ReadFlowInput, readInput, rejectUnknownWindows } from './input.ts'
import { type CallbackExpectation, toPollInterval } from './pollInterval.ts'
import { requireOperation, toRequest, withExtraFields } from './request.ts'
import { planSteps, planWaits, waitsFor } from './steps.ts'

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
}

/** Longer than the five minutes that the API client waits for the response to a create. Milliseconds. */
const maxCreateDelay = 6 * 60_000

type Declaration = FlowDeclaration | AccountFlowDeclaration

/**
 * Resolves everything that a run depends on, for its history. A changed declaration, rule or setting then applies to new
 * flows only. A changed module constant would replay silently, and change running flows.
 */
export function planFlow(
  {
    profile,
    pollInterval,
    createDelay = maxCreateDelay,
    callbacks,
    notifications,
    flows: declared = flows,
  }: PlanSettings,
  planInput: PlanFlowInput,
): Plan {
  const declaration = requireDeclaration({ ...declared, ...accountFlows }, planInput.flow)
  const input = readInput(planInput)
  const parts = 'operation' in declaration ? accountParts(declaration, input) : bookingParts(declaration, input)
  return {
    flow: planInput.flow,
    caseNo: input.caseNo,
    fingerprint: fingerprint(input.request),
    ...parts,
    profile,
    reachable: Object.fromEntries(Object.entries(reachability()).map(([from, to]) => [from, [...to]])),
    pollInterval: toPollInterval(pollInterval, callbacks),
    createDelay,
    pickUpPoint: text(parts.request.PupUid) ?? text(parts.request.pickUpPointUid),
    user: text(parts.request.ToUserUid) ?? text(parts.request.FromUserUid),
    ...(input.adopt === true && { adopt: true as const }),
    ...(notifications !== undefined && { notifications: planNotifications(notifications) }),
  }
}

function requireDeclaration(declared: Readonly<Record<string, Declaration>>, flow: string): Declaration {
  const declaration = Object.hasOwn(declared, flow) ? declared[flow] : undefined
  if (declaration === undefined) {
    throw nonRetryable('UnknownFlow', `flow: must be one of ${Object.keys(declared).join(', ')}, got ${flow}.`)
  }
  return declaration
}

/** The parts that differ between booking flows and account flows. */
type Parts = Pick<Plan, 'operation' | 'request' | 'roles' | 'stages' | 'outputs' | 'bookingWindow'>

function bookingParts(declaration: FlowDeclaration, input: ReadFlowInput): Parts {
  const { steps, outputs = {} } = declaration
  const [{ book: operation, window = defaultBookingWindow }] = steps
  const request = toRequest(requireOperation(operation), input.request, input.caseNo)
  const windowed = waitsFor(declaration, request).filter(({ window }) => window !== null)
  rejectUnknownWindows(
    input,
    windowed.map(({ name }) => name),
  )
  return {
    operation,
    request,
    roles: planRoles(rolesOf(declaration), request),
    stages: planWaits(declaration, request, (step, length) => toWindow(input, step, length)),
    outputs: Object.fromEntries(Object.entries(outputs).map(([field, path]) => [field, toRole(path)])),
    bookingWindow: toWindow(input, 'booking', window),
  }
}

/** The role of a path such as `stock.shipmentUid`. */
function toRole(path: string): string {
  return path.slice(0, path.lastIndexOf('.'))
}

function accountParts(
  { operation, extraFields, bookingWindow, ...flow }: AccountFlowDeclaration,
  input: ReadFlowInput,
): Parts {
  const request = toRequest(requireOperation(operation), input.request, input.caseNo)
  rejectUnknownWindows(input, [])
  return {
    operation,
    request: withExtraFields(extraFields, input.request, request),
    roles: [],
    stages: planSteps(flow),
    outputs: {},
    bookingWindow: toWindow(input, 'booking', bookingWindow),
  }
}

/** A role has a link to the existing shipment only if the request names one. */
function planRoles(roles: Roles, request: Record<string, unknown>): PlannedRole[] {
  const isThere = (to: string) => to !== existingShipment || toExistingShipmentUid({ request }) !== ''
  return Object.entries(roles).map(([name, { initialState, existing, link }]) => ({
    name,
    initialState,
    existing: existing ?? false,
    link: link && isThere(link.to) ? { ...link } : null,
  }))
}

function toWindow({ windows }: ReadFlowInput, name: string, declared: string): number {
  const length = parseDuration(windows?.[name] ?? declared)
  if (length === undefined) throw new Error(`window ${name}: ${declared} is not a duration`)
  return length
}

function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
