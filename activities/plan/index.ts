import { fingerprint, operations } from '#contract'
import { milliseconds, type ServiceProfile } from '#contract/terms'
import { reachability } from '#machines'
import { type FlowDeclaration, flows, given as named, type PlainDeclaration, plainFlows } from '#workflows/flows'
import { finalFailure } from '../failures.ts'
import type { Looks, Plan, PlannedRole, PlanOrder } from '../interface.ts'
import { type NoticeSettings, plannedNotices } from '../notices.ts'
import { priorOf } from '../sets.ts'
import { type ReadFlowInput, readInput, refuseUnknownWindows } from './input.ts'
import { requestOf, withAdded } from './request.ts'
import { planned, plannedSteps, stagesFor } from './stages.ts'

export interface PlanSettings {
  /** The flows that this worker runs; those of the project when left out. */
  readonly flows?: Readonly<Record<string, FlowDeclaration>>
  readonly profile: ServiceProfile
  readonly looks: Looks
  /** Left out: the flows send no notices. */
  readonly notices?: NoticeSettings
}

type Declaration = FlowDeclaration | PlainDeclaration

/**
 * Resolves everything that a run depends on. It is recorded in the history, so a changed declaration, rule or
 * setting meets new flows only; replaying a changed module constant would pass silently and change running ones.
 */
export function planOf({ profile, looks, notices, flows: declared = flows }: PlanSettings, order: PlanOrder): Plan {
  const declaration = declarationOf({ ...declared, ...plainFlows }, order.flow)
  const input = readInput(order)
  const parts = 'steps' in declaration ? plainParts(declaration, input) : bookingParts(declaration, input)
  return {
    flow: order.flow,
    caseNo: input.caseNo,
    fingerprint: fingerprint(input.request),
    operation: declaration.operation,
    ...parts,
    bookingWindow: windowOf(input, 'booking', declaration.booking),
    profile,
    reachable: Object.fromEntries(Object.entries(reachability()).map(([from, to]) => [from, [...to]])),
    looks: spread(looks),
    pickUpPoint: text(parts.request.PupUid) ?? text(parts.request.pickUpPointUid),
    user: text(parts.request.ToUserUid) ?? text(parts.request.FromUserUid),
    ...(input.adopt === true && { adopt: true as const }),
    ...(notices !== undefined && { notices: plannedNotices(notices) }),
  }
}

function declarationOf(declared: Readonly<Record<string, Declaration>>, flow: string): Declaration {
  const declaration = Object.hasOwn(declared, flow) ? declared[flow] : undefined
  if (declaration === undefined) {
    throw finalFailure('UnknownFlow', `There is no flow ${flow}; there are ${Object.keys(declared).join(', ')}`)
  }
  return declaration
}

function operationOf({ name, operation }: Declaration) {
  const found = Object.values(operations).find(candidate => candidate.name === operation)
  if (found === undefined) throw new Error(`flow ${name}: operation ${operation} is not in the contract`)
  return found
}

/** What differs between flows that book and flows that do not. */
type Parts = Pick<Plan, 'request' | 'roles' | 'stages' | 'handsBack'>

function bookingParts(declaration: FlowDeclaration, input: ReadFlowInput): Parts {
  const request = requestOf(operationOf(declaration), input.request, input.caseNo)
  const stages = stagesFor(declaration, request)
  const windowed = stages.filter(({ window }) => window !== null)
  refuseUnknownWindows(
    input,
    windowed.map(({ name }) => name),
  )
  return {
    request,
    roles: rolesFor(declaration, request),
    stages: stages.map(stage => planned(stage, (name, length) => windowOf(input, name, length))),
    handsBack: { ...declaration.handsBack },
  }
}

function plainParts(declaration: PlainDeclaration, input: ReadFlowInput): Parts {
  const request = requestOf(operationOf(declaration), input.request, input.caseNo)
  refuseUnknownWindows(input, [])
  return {
    request: withAdded(declaration.adds, input.request, request),
    roles: [],
    stages: plannedSteps(declaration),
    handsBack: {},
  }
}

/** A link to the given shipment is only there when the request names one. */
function rolesFor({ roles }: FlowDeclaration, request: Record<string, unknown>): PlannedRole[] {
  const isThere = (to: string) => to !== named || priorOf({ request }) !== ''
  return Object.entries(roles).map(([name, { first, given, link }]) => ({
    name,
    first,
    given: given ?? false,
    link: link && isThere(link.to) ? { ...link } : null,
  }))
}

function windowOf({ windows }: ReadFlowInput, name: string, declared: string): number {
  const length = milliseconds(windows?.[name] ?? declared)
  if (length === undefined) throw new Error(`window ${name}: ${declared} is not a duration`)
  return length
}

/** A fifth of the interval is left to chance, once for each flow, so that flows do not look all at once. */
function spread({ first, longest }: Looks): Looks {
  const factor = 0.8 + 0.4 * Math.random()
  return { first: Math.round(first * factor), longest: Math.round(longest * factor) }
}

function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
