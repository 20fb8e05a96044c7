import type { CleanedShipment } from '#activities/interface'
import { holdsItem, isFinalState } from '#contract/terms'
import { type LeftOver, leftOverReasons, toFailedReason } from '#flows'
import { cancelKeptBooking, cancelShipments } from './activities.ts'
import { findCompletedBy, type HeldShipment, type PlannedFlow, setState } from './context.ts'
import { isActivityError, toErrorCode } from './failures.ts'
import { pollShipments } from './stages/poll.ts'
import { publishVisibility } from './visibility/currentDetails.ts'

/**
 * Cancels the shipments that the flow booked and that hold no item, as far as the stage allows. Everything else is
 * reported as left over, with the reason. Never fails.
 */
export async function cleanUp(flow: PlannedFlow): Promise<void> {
  const { progress } = flow
  if (progress.shipments.every(({ stateCode }) => isFinalState(stateCode))) return
  setState(flow, 'cleaningUp')
  progress.deadline = null
  publishVisibility(flow)
  if (progress.plan.profile.reads) await pollShipments(flow, { urgent: false })
  const refused = await cancelAllowed(flow)
  flow.leftOver = progress.shipments
    .filter(({ stateCode }) => !isFinalState(stateCode))
    .map(shipment => ({ shipmentUid: shipment.shipmentUid, reason: toReason(flow, shipment, refused) }))
}

/** Ends the kept booking. A shipment that the service refuses to cancel is left over, with the reason. Never fails. */
export async function releaseKeptBooking(flow: PlannedFlow): Promise<void> {
  const shipment = findCompletedBy(flow, 'release')?.shipment
  if (shipment === undefined || isFinalState(shipment.stateCode)) return
  setState(flow, 'cleaningUp')
  publishVisibility(flow)
  const { shipmentUid, stateCode } = shipment
  try {
    const cleaned = await cancelKeptBooking({ shipmentUid, stateCode, profile: flow.progress.plan.profile })
    shipment.stateCode = cleaned.stateCode
    flow.leftOver = toLeftOvers([cleaned])
  } catch (error) {
    if (!isActivityError(error)) throw error
    flow.leftOver = leaveAll([shipment], error)
  }
}

/** Cancels the shipments that this stage allows; returns those that stay, with the reason. */
async function cancelAllowed({ progress }: PlannedFlow): Promise<LeftOver[]> {
  const { plan, stage, shipments } = progress
  const allowed = plan.stages[stage]?.cancels ?? []
  const cancellable = shipments.filter(({ role, stateCode }) => allowed.includes(role) && !isFinalState(stateCode))
  if (cancellable.length === 0) return []
  const input = cancellable.map(({ shipmentUid, stateCode }) => ({ shipmentUid, stateCode }))
  try {
    const cleaned = await cancelShipments({ shipments: input, profile: plan.profile })
    for (const { shipmentUid, stateCode } of cleaned) {
      const shipment = shipments.find(candidate => candidate.shipmentUid === shipmentUid)
      if (shipment !== undefined) shipment.stateCode = stateCode
    }
    return toLeftOvers(cleaned)
  } catch (error) {
    if (!isActivityError(error)) throw error
    return leaveAll(cancellable, error)
  }
}

/** The shipments that an activity could not cancel. */
export function toLeftOvers(cleaned: readonly CleanedShipment[]): LeftOver[] {
  return cleaned.flatMap(({ shipmentUid, left }) => (left === null ? [] : [{ shipmentUid, reason: left }]))
}

/** Leaves all shipments over after an activity failed. */
export function leaveAll(shipments: readonly { readonly shipmentUid: string }[], error: unknown): LeftOver[] {
  return shipments.map(({ shipmentUid }) => ({ shipmentUid, reason: toFailedReason(toErrorCode(error)) }))
}

function toReason({ progress }: PlannedFlow, held: HeldShipment, refused: readonly LeftOver[]): string {
  if (progress.plan.roles.some(({ name, existing }) => existing && name === held.role))
    return leftOverReasons.existedBefore
  const reason = refused.find(({ shipmentUid }) => shipmentUid === held.shipmentUid)?.reason
  return reason ?? (holdsItem(held.stateCode) ? leftOverReasons.itemInside : leftOverReasons.forPerson)
}
