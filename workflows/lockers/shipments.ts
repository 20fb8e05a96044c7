import type { CleanedShipment } from '#activities/interface'
import { isFinalState, readStateCode, readTime } from '#contract/terms'
import { type FlowPlan, type LeftOver, type ShipmentStatus, toFailedReason } from '#flows'
import { toErrorCode } from '../failures.ts'
import { type FlowProgress, type ShipmentProgress, setStateCode } from '../progress.ts'

type Reachability = Pick<FlowPlan, 'reachable'>

type Snapshot = ShipmentStatus & { readonly lockerName: string | null }

/** A reported state in relation to the known one. */
type Comparison = 'same' | 'newer' | 'older' | 'impossible'

export interface CallbackEffect {
  readonly changed: boolean
  /** True if only the service can tell: the callback is a mere hint, or impossible. */
  readonly poll: boolean
  /** The reason why the callback was rejected, for the log. */
  readonly rejection?: string
}

const ignored: CallbackEffect = { changed: false, poll: false }

/**
 * Applies a callback. It reports a state and not an event, so it is accepted when that state is reachable from the known
 * one over any number of steps. Duplicates and older states are ignored, and an impossible one leads to a poll.
 * Nothing in a callback can fail the flow.
 */
export function applyCallback({ plan, shipments }: FlowProgress, status: ShipmentStatus): CallbackEffect {
  if (typeof status?.stateCode !== 'string') return ignored
  const effects = shipments
    .filter(({ shipmentUid }) => shipmentUid === status.shipmentUid)
    .map(held => applyTo(held, plan, status))
  const rejection = effects.find(effect => effect.rejection !== undefined)?.rejection
  return {
    changed: effects.some(({ changed }) => changed),
    poll: effects.some(({ poll }) => poll),
    ...(rejection !== undefined && { rejection }),
  }
}

/** A flow that issues what it has stocked has two roles with one shipment, and both get its state. */
function applyTo(held: ShipmentProgress, plan: FlowPlan, status: ShipmentStatus): CallbackEffect {
  const comparison = compareStates(plan, held, status)
  if (comparison === 'same' || comparison === 'older') return ignored
  const { standardWebhooks, reads } = plan.profile
  // The uid signature covers neither state nor time, so such a callback is only a hint to poll.
  if (!standardWebhooks && reads) return { changed: true, poll: true }
  if (comparison === 'newer') {
    update(held, status)
    return { changed: true, poll: false }
  }
  const rejection = `${held.role}: a callback reported ${toName(status)}, which cannot follow ${toName(held)}`
  return { changed: true, poll: reads, rejection }
}

/** Applies what the service returned, impossible states included. Returns a sentence for each surprise. */
export function applySnapshots({ plan, shipments }: FlowProgress, snapshots: readonly Snapshot[]): string[] {
  return shipments.flatMap(held => {
    const snapshot = snapshots.find(({ shipmentUid }) => shipmentUid === held.shipmentUid)
    if (snapshot === undefined) return [`${held.role}: the service does not know the shipment`]
    return applySnapshot(plan, held, snapshot)
  })
}

export function applySnapshot(plan: Reachability, held: ShipmentProgress, snapshot: Snapshot): string[] {
  const comparison = compareStates(plan, held, snapshot)
  const before = toName(held)
  if (comparison === 'newer' || comparison === 'impossible') update(held, snapshot)
  held.lockerName = snapshot.lockerName
  if (snapshot.lockerOutOfService) held.lockerOutOfService = true
  else delete held.lockerOutOfService
  return comparison === 'impossible' ? [`${held.role}: the service reports ${toName(snapshot)} after ${before}`] : []
}

/** True if every awaited role has reached its state, or one that can only follow it. */
export function haveReached(
  reached: Readonly<Record<string, string>>,
  { plan, shipments }: Pick<FlowProgress, 'plan' | 'shipments'>,
): boolean {
  return Object.entries(reached).every(([role, awaited]) => {
    const current = readStateCode(shipments.find(shipment => shipment.role === role)?.stateCode ?? '')
    if (current === undefined || current === 'Cancelled') return current === awaited
    return current === awaited || canFollow(plan, awaited, current)
  })
}

/**
 * Orders two states by reachability, which has no circles. Times decide only for unknown codes, since clocks of services
 * differ and local times are set back.
 */
export function compareStates(plan: Reachability, held: ShipmentProgress, reported: ShipmentStatus): Comparison {
  const [before, now] = [readStateCode(held.stateCode), readStateCode(reported.stateCode)]
  if ((now ?? reported.stateCode) === held.stateCode) return 'same'
  if (before === undefined || now === undefined) {
    return isLater(held.stateStart, reported.stateStart) ? 'newer' : 'older'
  }
  if (canFollow(plan, before, now)) return 'newer'
  return canFollow(plan, now, before) ? 'older' : 'impossible'
}

function canFollow({ reachable }: Reachability, from: string, to: string): boolean {
  return (reachable[from] ?? []).includes(to)
}

function update(held: ShipmentProgress, { stateCode, stateStart, pupUid }: ShipmentStatus): void {
  held.stateCode = readStateCode(stateCode) ?? stateCode
  held.stateStart = stateStart
  if (typeof pupUid === 'string') held.pupUid = pupUid
}

function isLater(before: string, now: string): boolean {
  const [one, other] = [readTime(before), readTime(now)]
  return one === undefined || other === undefined || other >= one
}

/** Only known codes are logged: any other text comes from outside and could be personal. */
function toName({ stateCode }: Pick<ShipmentStatus, 'stateCode'>): string {
  return readStateCode(stateCode) ?? 'an unknown state'
}

/**
 * Notes the states after a cancellation. A callback can have reported the end of a shipment meanwhile: the service refuses to
 * cancel it again after a lost response. Returns each shipment as it is known now.
 */
export function noteCleaned(progress: FlowProgress, cleaned: readonly CleanedShipment[]): CleanedShipment[] {
  return cleaned.map(each => {
    const held = progress.shipments.find(({ shipmentUid }) => shipmentUid === each.shipmentUid)
    const hasEnded = each.left !== null && held !== undefined && isFinalState(held.stateCode)
    // A later undo of the same shipment has nothing to do then.
    if (hasEnded) return { ...each, stateCode: held.stateCode, left: null }
    setStateCode(progress, each.shipmentUid, each.stateCode)
    return each
  })
}

/** The shipments of a book step that an activity could not cancel. */
export function toLeftOvers(step: string, cleaned: readonly CleanedShipment[]): LeftOver[] {
  return cleaned.flatMap(({ shipmentUid, left }) => (left === null ? [] : [{ step, shipmentUid, reason: left }]))
}

/** Leaves all shipments of a book step over after an activity failed. */
export function leaveAll(
  step: string,
  shipments: readonly { readonly shipmentUid: string }[],
  error: unknown,
): LeftOver[] {
  return shipments.map(({ shipmentUid }) => ({ step, shipmentUid, reason: toFailedReason(toErrorCode(error)) }))
}
