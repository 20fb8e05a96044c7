import { holdsItem, isFinalState } from '#contract/terms'
import { type LeftOver, leftOverReasons, type PlannedBook } from '#flows'
import { cancelShipments } from '../../activities.ts'
import type { PlannedFlow } from '../../context.ts'
import { isActivityError } from '../../failures.ts'
import { undoShipments, undoUnacknowledged } from '../../lockers/lateBookings.ts'
import { leaveAll, toLeftOvers } from '../../lockers/leftOvers.ts'
import { isUndoneLater } from '../../lockers/neededShipments.ts'
import { pollShipments } from '../../lockers/readings.ts'
import { type BookIn, bookIn } from '../../lockers/roles.ts'
import { bookingOf, noteCleaned, shipmentsOf } from '../../lockers/shipments.ts'
import { type ShipmentProgress, stepOf, type UndoEntry } from '../../progress.ts'
import { keysFrom } from '../../scopes.ts'
import { leave } from '../../undoList.ts'

/** False for a booking whose shipments have ended. */
export function hasBookingToUndo(
  { progress }: PlannedFlow,
  planned: PlannedBook,
  { state, token = '' }: UndoEntry,
): boolean {
  const step = bookIn(planned, token)
  const { plan, lockers } = progress
  if (state === 'started' && !lockers.bookings[step.name]?.booked) return !plan.adopt
  return shipmentsOf(lockers, step).some(({ stateCode }) => !isFinalState(stateCode))
}

/**
 * Cancels the shipments that the flow booked and that hold no item, as the current step allows. A booking that no
 * caller has learned of is undone, whatever its kind. Everything else is reported as left over, with the reason. Never
 * fails.
 */
export async function undoBook(
  flow: PlannedFlow,
  planned: PlannedBook,
  { state, token = '' }: UndoEntry,
): Promise<void> {
  const step = bookIn(planned, token)
  const { progress } = flow
  const { adopt, profile } = progress.plan
  const isKnown = bookingOf(progress.lockers, step).booked
  if (state === 'started' && !adopt) {
    const shipments = shipmentsOf(progress.lockers, step).filter(({ stateCode }) => !isFinalState(stateCode))
    await (isKnown ? undoShipments(flow, step, shipments) : undoUnacknowledged(flow, step))
    return
  }
  if (profile.reads) await pollShipments(flow, { urgent: false })
  const refused = await cancelAllowed(flow, step)
  const left = shipmentsOf(progress.lockers, step).filter(
    ({ shipmentUid, stateCode }) => !isFinalState(stateCode) && !isUndoneLater(progress, step, shipmentUid),
  )
  leave(
    progress,
    ...left.map(held => ({ step: step.name, shipmentUid: held.shipmentUid, reason: toReason(step, held, refused) })),
  )
}

/** Cancels the shipments that the current step allows; returns those that stay, with the reason. */
async function cancelAllowed({ progress, runtime }: PlannedFlow, step: BookIn): Promise<LeftOver[]> {
  const { profile } = progress.plan
  // The activity reads each shipment first. Without reads the flow's state may be old.
  const allowed = progress.tokens.flatMap(token => {
    const { cancels = [], mayCancel = [] } = stepOf(progress, token) ?? {}
    return (profile.reads ? [...cancels, ...mayCancel] : cancels).flatMap(role => keysFrom(token.id, role))
  })
  const booked = shipmentsOf(progress.lockers, step)
  const cancellable = booked.filter(({ role, stateCode }) => allowed.includes(role) && !isFinalState(stateCode))
  if (cancellable.length === 0) return []
  const shipments = cancellable.map(({ shipmentUid, stateCode }) => ({ shipmentUid, stateCode }))
  try {
    const cleaned = await cancelShipments(runtime, { shipments, profile })
    return toLeftOvers(step.name, noteCleaned(progress.lockers, cleaned))
  } catch (error) {
    if (!isActivityError(error)) throw error
    return leaveAll(step.name, cancellable, error)
  }
}

function toReason({ roles }: PlannedBook, held: ShipmentProgress, refused: readonly LeftOver[]): string {
  if (roles.some(({ name, existing }) => existing && name === held.role)) return leftOverReasons.existedBefore
  const reason = refused.find(({ shipmentUid }) => shipmentUid === held.shipmentUid)?.reason
  return reason ?? (holdsItem(held.stateCode) ? leftOverReasons.itemInside : leftOverReasons.forPerson)
}
