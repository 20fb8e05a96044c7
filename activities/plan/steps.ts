import {
  type AccountFlowDeclaration,
  existingShipment,
  type FlowDeclaration,
  type PlannedStage,
  type Roles,
  rolesOf,
  toExistingShipmentUid,
  type WaitStep,
  waitSteps,
} from '#flows'
import { type BookedShipment, cancellableRoles, type WaitedStates } from '#machines'

type Request = Readonly<Record<string, unknown>>

/** The wait steps of a request: those without a condition, and those whose condition it fulfils. */
export function waitsFor(flow: FlowDeclaration, request: Request): readonly WaitStep[] {
  return waitSteps(flow).filter(({ when = {} }) =>
    Object.entries(when).every(([path, value]) => (request[path.slice('input.'.length)] === true) === value),
  )
}

/** The roles that clean-up may cancel in each wait step of a request, by the rules of the machines. */
export function cancellableIn(flow: FlowDeclaration, request: Request): ReadonlyMap<WaitStep, readonly string[]> {
  const waits = waitsFor(flow, request)
  const cancellable = exploreOnce(
    bookedShipments(rolesOf(flow), request),
    waits.map(({ wait }) => wait),
  )
  return new Map(
    waits.map((step, index) => [step, (cancellable[index] ?? []).filter(role => !step.keep?.includes(role))]),
  )
}

/** By booking and waits, of which the declarations have few. An exploration takes about a millisecond. */
const explored = new Map<string, string[][]>()

function exploreOnce(booked: readonly BookedShipment[], waits: readonly WaitedStates[]): string[][] {
  const key = JSON.stringify([booked, waits])
  const known = explored.get(key) ?? cancellableRoles([{ books: booked }, ...waits.map(wait => ({ wait }))]).slice(1)
  explored.set(key, known)
  return known
}

/**
 * The wait steps of a request as stages of the plan.
 * @param lengthOf the window of a step, in milliseconds
 */
export function planWaits(
  flow: FlowDeclaration,
  request: Request,
  lengthOf: (name: string, declared: string) => number,
): PlannedStage[] {
  return [...cancellableIn(flow, request)].map(
    ([{ name, summary, wait, window, onTimeout, onLockerOutOfService, completedBy }, cancels]) => ({
      name,
      summary,
      reached: { ...wait },
      window: window === null ? null : lengthOf(name, window),
      onTimeout: onTimeout ?? null,
      ...(onLockerOutOfService && { onLockerOutOfService }),
      cancels: [...cancels],
      completedBy: completedBy ? { ...completedBy } : null,
    }),
  )
}

/** The steps of an account flow, as stages that only the flow itself completes. */
export function planSteps({ steps }: Pick<AccountFlowDeclaration, 'steps'>): PlannedStage[] {
  return steps.map(({ name, summary }) => ({
    name,
    summary,
    reached: {},
    window: null,
    onTimeout: null,
    cancels: [],
    completedBy: null,
  }))
}

/** Stock may be issued before it has arrived. */
const existingStates = ['ReadyForPickup', 'ReadyForDropOff', 'WaitForPriorShipment'] as const

/** The shipments of a booking as their machines start, with the existing one that they follow. */
function bookedShipments(roles: Roles, request: Request): BookedShipment[] {
  const hasExisting = toExistingShipmentUid({ request }) !== ''
  const own = Object.entries(roles).map(([role, { initialState, existing = false, link, withoutReceiver }]) => ({
    role,
    initialStates: existing ? existingStates : [initialState],
    link: link && (link.to !== existingShipment || hasExisting) ? link : null,
    receiver: !(withoutReceiver === true || (withoutReceiver !== undefined && request[withoutReceiver] === true)),
    existing,
  }))
  const followed = own.some(({ link }) => link?.to === existingShipment)
  const prior = { role: existingShipment, initialStates: existingStates, link: null, receiver: true, existing: true }
  return followed ? [prior, ...own] : own
}
