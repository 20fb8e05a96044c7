import type { CleanedShipment } from '#activities/interface'
import { holdsItem, isFinalState } from '#contract/terms'
import { type LeftOver, leftOverReasons } from '#flows'
import { cancelKeptBooking, cancelShipments, undoBooking } from './activities.ts'
import { toUndoInput } from './booking/plan.ts'
import { findCompletedBy, type HeldShipment, type PlannedFlow, setState } from './context.ts'
import { isActivityError } from './failures.ts'
import { leaveAll, toLeftOvers } from './leftOvers.ts'
import { pollShipments } from './stages/poll.ts'
import { publishVisibility } from './visibility/currentDetails.ts'

/**
 * Cancels the shipments that the flow booked and that hold no item, as far as the stage allows. A booking that no caller
 * has learned of is undone, whatever its kind. Everything else is reported as left over, with the reason. Never fails.
 */
export async function cleanUp(flow: PlannedFlow): Promise<void> {
  const { progress } = flow
  if (progress.shipments.every(({ stateCode }) => isFinalState(stateCode))) return
  setState(flow, 'cleaningUp')
  progress.deadline = null
  publishVisibility(flow)
  if (flow.booking !== 'booked' && !progress.plan.adopt) {
    flow.leftOver = await undo(flow)
    return
  }
  if (progress.plan.profile.reads) await pollShipments(flow, { urgent: false })
  const refused = await cancelAllowed(flow)
  flow.leftOver = progress.shipments
    .filter(({ stateCode }) => !isFinalState(stateCode))
    .map(shipment => ({ shipmentUid: shipment.shipmentUid, reason: toReason(flow, shipment, refused) }))
}

async function undo(flow: PlannedFlow): Promise<LeftOver[]> {
  const { shipments } = flow.progress
  try {
    const undone = await undoBooking(toUndoInput(flow, shipments))
    updateStates(shipments, undone)
    return toLeftOvers(undone)
  } catch (error) {
    if (!isActivityError(error)) throw error
    return leaveAll(shipments, error)
  }
}

function updateStates(shipments: readonly HeldShipment[], cleaned: readonly CleanedShipment[]): void {
  for (const { shipmentUid, stateCode } of cleaned) {
    const shipment = shipments.find(candidate => candidate.shipmentUid === shipmentUid)
    if (shipment !== undefined) shipment.stateCode = stateCode
  }
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
    updateStates(shipments, cleaned)
    return toLeftOvers(cleaned)
  } catch (error) {
    if (!isActivityError(error)) throw error
    return leaveAll(cancellable, error)
  }
}

function toReason({ progress }: PlannedFlow, held: HeldShipment, refused: readonly LeftOver[]): string {
  if (progress.plan.roles.some(({ name, existing }) => existing && name === held.role))
    return leftOverReasons.existedBefore
  const reason = refused.find(({ shipmentUid }) => shipmentUid === held.shipmentUid)?.reason
  return reason ?? (holdsItem(held.stateCode) ? leftOverReasons.itemInside : leftOverReasons.forPerson)
}
