import {
  type BookedShipment,
  type CancellableRoles,
  cancellableRoles,
  type ShipmentBlock,
  type ShipmentStep,
} from '#contract/machines'
import { existingShipment, findRoles, type PlannedBook, type PlannedStep, type Role, roleToCancel } from '#flows'
import type { GoTo, Step } from '#flows/declaration'
import { findPriorPath, sourcesOf } from './roles.ts'

/** A step of the plan, before it is known which roles can be cancelled in it. */
export type StepDraft = WithoutCancels<PlannedStep>

type WithoutCancels<Planned> = Planned extends PlannedStep ? Omit<Planned, 'cancels' | 'mayCancel'> : never

/** Roles that a step keeps, by its index. */
export type KeptRoles = (step: number) => readonly string[]

/** Adds the roles that clean-up may cancel in each step, by the rules of the machines, and those that a call ends. */
export function addCancels(steps: readonly StepDraft[], keptIn: KeptRoles): PlannedStep[] {
  const shipmentSteps = toShipmentSteps(steps)
  const cancellable = exploreOnce(shipmentSteps)
  const booked = shipmentSteps.flatMap(({ books = [] }) => books)
  return steps.map((step, index) => {
    const kept = keptIn(index)
    const { always = [], sometimes = [] } = cancellable[index] ?? {}
    const [cancels, mayCancel] = [always, sometimes].map(roles => roles.filter(role => !kept.includes(role)))
    const ended = step.kind === 'call' ? roleToCancel(step.operation, step.request) : undefined
    const ends = ended === undefined ? [] : rolesAfter(ended, booked)
    return {
      ...step,
      cancels,
      ...(mayCancel?.length && { mayCancel }),
      ...(ends.length > 0 && { ends }),
    } as PlannedStep
  })
}

/**
 * The roles whose shipments are linked to that of a role, over any number of links. They hold no item before it has ended,
 * so its cancellation cancels them.
 */
function rolesAfter(first: string, booked: readonly BookedShipment[]): string[] {
  const sameAs = new Map(booked.flatMap(({ role, sameAs }) => (sameAs === undefined ? [] : [[role, sameAs] as const])))
  const uidOf = (role: string) => sameAs.get(role) ?? role
  const ended = new Set([uidOf(first)])
  // The links of a booking lead to roles above, and to earlier bookings.
  for (const { role, link } of booked) if (link !== null && ended.has(uidOf(link.to))) ended.add(uidOf(role))
  const roles = new Set(booked.map(({ role }) => role))
  return [...roles].filter(role => uidOf(role) !== uidOf(first) && ended.has(uidOf(role)))
}

/** The roles that a step keeps. */
export function keptIn(step: Step | undefined): readonly string[] {
  return step !== undefined && 'wait' in step ? (step.keep ?? []) : []
}

/** By steps, of which declarations have few. An exploration takes about a millisecond. */
const explored = new Map<string, CancellableRoles[]>()

/** Variants of requests beyond this number are explored again. */
const maxExplored = 1_000

function exploreOnce(steps: readonly ShipmentStep[]): CancellableRoles[] {
  const key = JSON.stringify(steps)
  const known = explored.get(key) ?? cancellableRoles(steps)
  if (explored.size >= maxExplored) explored.clear()
  explored.set(key, known)
  return known
}

function toShipmentSteps(steps: readonly StepDraft[]): ShipmentStep[] {
  const roles = new Set<string>()
  return steps.map((step, index) => {
    const ways = [
      ...('onTimeout' in step ? [step.onTimeout] : []),
      ...('onError' in step ? Object.values(step.onError ?? {}) : []),
    ]
    const jumps = ways.flatMap(way => (typeof way === 'object' && way !== null ? [indexAfter(steps, index, way)] : []))
    const common = {
      ...((step.when !== undefined || ways.includes('continue')) && { optional: true }),
      ...(jumps.length > 0 && { jumps }),
    }
    if (step.kind === 'wait') return { wait: step.reached, ...common }
    if ('end' in step) return { block: toBlock(step, index), ...common }
    if (step.kind !== 'book') return common
    const books = bookedShipments(step, roles)
    for (const { role } of books) roles.add(role)
    return { books, ...common }
  })
}

function toBlock(step: Extract<StepDraft, { end: number }>, index: number): ShipmentBlock {
  const { end } = step
  const list = { from: index + 1, to: end }
  switch (step.kind) {
    case 'parallel':
      return { kind: 'together', lists: step.branches, end, ...(step.until !== 'all' && { isPartial: true }) }
    case 'switch': {
      const hasDefault = step.cases.some(({ when }) => when === undefined)
      return { kind: 'oneOf', lists: hasDefault ? step.cases : [...step.cases, { from: end, to: end }], end }
    }
    case 'group':
      return { kind: 'oneOf', lists: [list], end }
    default:
      return { kind: 'loop', lists: [list], end }
  }
}

/** Beyond the last step: the end of the list. */
function indexAfter(steps: readonly StepDraft[], index: number, { goTo }: GoTo): number {
  const found = steps.findIndex((step, at) => at > index && step.name === goTo)
  return found < 0 ? steps.length : found
}

/** Stock may be issued before it has arrived. */
const existingStates = ['ReadyForPickup', 'ReadyForDropOff', 'WaitForPriorShipment'] as const

/** The shipments of a booking as their machines start, with the existing one that they follow. */
function bookedShipments(
  { name, operation, roles, request }: Omit<PlannedBook, 'cancels'>,
  earlier: ReadonlySet<string>,
): BookedShipment[] {
  const declared = Object.values<Role>(findRoles(operation) ?? {})
  const path = findPriorPath(request)
  const root = path?.slice(0, path.indexOf('.'))
  // The existing shipment can be one that an earlier step of this flow has booked.
  const prior = root !== undefined && earlier.has(root) ? root : undefined
  const priorRole = prior ?? `${existingShipment}:${name}`
  const own = roles.map(({ name: role, existing, link }, index): BookedShipment => {
    const { initialState = 'ReadyForDropOff', withoutReceiver } = declared[index] ?? {}
    return {
      role,
      initialStates: existing ? existingStates : [initialState],
      link: link && { by: link.by, to: link.to === existingShipment ? priorRole : link.to },
      receiver: !(
        withoutReceiver === true ||
        (withoutReceiver !== undefined && sourcesOf(request, withoutReceiver).some(isOrMayBeTrue))
      ),
      existing,
      ...(existing && prior !== undefined && { sameAs: prior }),
    }
  })
  if (prior !== undefined || !own.some(({ link }) => link?.to === priorRole)) return own
  return [{ role: priorRole, initialStates: existingStates, link: null, receiver: true, existing: true }, ...own]
}

/** A shipment without a receiver can still get one, so it has all states of one with a receiver. */
function isOrMayBeTrue(source: unknown): boolean {
  return source === true || (typeof source === 'object' && source !== null)
}
