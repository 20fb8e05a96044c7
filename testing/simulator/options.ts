import type { Calendars } from '#activities/calendars'
import { fingerprint } from '#contract'
import type { ServiceProfile } from '#contract/terms'
import { flows as builtIn, type Duration, type FlowInput, toStarterView } from '#flows'
import type { FlowDeclaration } from '#flows/declaration'
import type { Topology } from '#service'
import type { ItemKind, RunResult } from '#testing/story'
import type { Delivery } from './delivery.ts'

export interface SimulationOptions {
  /** The flows that can start; by default those of the project. */
  readonly flows?: Readonly<Record<string, FlowDeclaration>>
  /** Uids, poll intervals and codes repeat for a seed; 1 by default. */
  readonly seed?: number
  /** The start of the clock, in milliseconds since 1970; by default 2027-03-01T08:00:00Z, a Monday. */
  readonly startAt?: number
  /** The pick up points of the service; by default those of the demonstration. */
  readonly topology?: Topology
  /** The flow sends notifications, which the simulation collects. */
  readonly notifications?: boolean
  /** The abilities of the service; by default all. */
  readonly profile?: ServiceProfile
  /** In milliseconds; by default those of a worker. */
  readonly pollInterval?: { readonly initial: number; readonly maximum: number }
  /** Milliseconds that a create without a response may take to reach the service. */
  readonly createDelay?: number
  /** By default those of `testCalendars`. */
  readonly calendars?: Calendars
  /** The results of run steps, by activity. */
  readonly runs?: Readonly<Record<string, RunResult>>
  /** Events after which Temporal suggests continue-as-new; Temporal's 4,096 by default. */
  readonly suggestedAt?: number
  /** The worker keeps no flow between its tasks, so that each task begins with a replay; false by default. */
  readonly replaysEachTask?: boolean
  /** By default in the order of arrival. */
  readonly delivery?: Delivery
}

export interface SimulatedStart {
  readonly flow: string
  /** May contain the placeholders `$user`, `$pup`, `$in`, `$item` and `$example`. */
  readonly request: Readonly<Record<string, unknown>>
  readonly caseNo?: string
  readonly windows?: Readonly<Record<string, Duration>>
  /** Shipments that exist before the flow, by a name. */
  readonly before?: Readonly<Record<string, ItemKind>>
  /** The starter waits for the booking, as most do; true by default. */
  readonly waits?: boolean
  /** The flow adopts the booking of its case, as after a sweep. */
  readonly adopt?: boolean
}

type Given = Pick<SimulatedStart, 'flow' | 'windows' | 'adopt'> & Pick<FlowInput, 'caseNo' | 'request'>

/** The input of a flow, as a starter makes it. */
export function toInput(
  { flow, caseNo, request, windows, adopt }: Given,
  declaration: FlowDeclaration | undefined,
): FlowInput {
  const isOwn = declaration !== undefined && !Object.hasOwn(builtIn, flow)
  return {
    caseNo,
    request,
    ...(windows && { windows }),
    ...(adopt && { adopt }),
    ...(isOwn && { declaration: fingerprint(toStarterView(declaration)) }),
  }
}
