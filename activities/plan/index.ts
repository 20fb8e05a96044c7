import { fingerprint, operations } from '#contract'
import { milliseconds, type ServiceProfile } from '#contract/terms'
import { reachability } from '#machines'
import { type FlowDeclaration, flows } from '#workflows/flows'
import { finalFailure } from '../failures.ts'
import type { Looks, Plan, PlanOrder } from '../interface.ts'
import { type ReadFlowInput, readInput } from './input.ts'
import { requestOf } from './request.ts'

export interface PlanSettings {
  /** The flows that this worker runs; those of the project when left out. */
  readonly flows?: Readonly<Record<string, FlowDeclaration>>
  readonly profile: ServiceProfile
  readonly looks: Looks
}

/**
 * Resolves everything that a run depends on. It is recorded in the history, so a changed declaration, rule or
 * setting meets new flows only; replaying a changed module constant would pass silently and change running ones.
 */
export function planOf({ profile, looks, flows: declared = flows }: PlanSettings, order: PlanOrder): Plan {
  const { flow } = order
  const declaration = declarationOf(declared, flow)
  const operation = operationOf(declaration)
  const input = readInput(declaration, order)
  const request = requestOf(operation, input.request, input.caseNo)
  return {
    flow,
    caseNo: input.caseNo,
    fingerprint: fingerprint(input.request),
    operation: declaration.operation,
    request,
    roles: Object.entries(declaration.roles).map(([name, { first, given, link }]) => ({
      name,
      first,
      given: given ?? false,
      link: link ? { ...link } : null,
    })),
    stages: declaration.stages.map(stage => ({
      ...stage,
      reached: { ...stage.reached },
      cancels: [...stage.cancels],
      window: windowOf(input, stage.name, stage.window),
    })),
    handsBack: { ...declaration.handsBack },
    bookingWindow: windowOf(input, 'booking', declaration.booking),
    profile,
    reachable: Object.fromEntries(Object.entries(reachability).map(([from, to]) => [from, [...to]])),
    looks: spread(looks),
    pickUpPoint: text(request.PupUid),
    user: text(request.ToUserUid) ?? text(request.FromUserUid),
  }
}

function declarationOf(declared: Readonly<Record<string, FlowDeclaration>>, flow: string): FlowDeclaration {
  const declaration = Object.hasOwn(declared, flow) ? declared[flow] : undefined
  if (declaration === undefined) {
    throw finalFailure('UnknownFlow', `There is no flow ${flow}; there are ${Object.keys(declared).join(', ')}`)
  }
  return declaration
}

function operationOf({ name, operation }: FlowDeclaration) {
  const declared = Object.values(operations).find(candidate => candidate.name === operation)
  if (declared === undefined) throw new Error(`flow ${name}: operation ${operation} is not in the contract`)
  return declared
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
