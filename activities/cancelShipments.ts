import { type Api, ApiRefusal } from '#api'
import { holdsItem, isFinalState, readStateCode } from '#contract/terms'
import { leftOverReasons, toRefusedReason } from '#flows'
import { isPermanent, withApplicationFailures } from './failures.ts'
import type { CancelKeptBookingInput, CancelShipmentsInput, CleanedShipment } from './interface.ts'
import { readShipment } from './shipments.ts'

/**
 * Cancels the shipments that hold no item. Each is read first, since the flow's state may be old and software must not
 * free a locker that is not empty. Shipments that cannot be cancelled are left, with the reason: one refusal must not
 * keep the others booked. Repeating it is harmless.
 */
export async function cancelShipments(
  api: Api,
  { shipments, profile }: CancelShipmentsInput,
): Promise<CleanedShipment[]> {
  return withApplicationFailures(async () => {
    const cleaned: CleanedShipment[] = []
    for (const { shipmentUid, stateCode } of shipments) {
      const read = async () => (profile.reads ? (await readShipment(api, shipmentUid))?.stateCode : stateCode)
      cleaned.push(await leaveOnRefusal(shipmentUid, stateCode, () => cancelIfEmpty(api, shipmentUid, read)))
    }
    return cleaned
  })
}

/**
 * Ends a kept booking. It is not read first: the caller answers for an empty locker, which the state of a kept booking
 * does not tell. A shipment that the service refuses to cancel is left, with the reason. Repeating it is harmless.
 */
export async function cancelKeptBooking(
  api: Api,
  { shipmentUid, stateCode, profile }: CancelKeptBookingInput,
): Promise<CleanedShipment> {
  return withApplicationFailures(() =>
    leaveOnRefusal(shipmentUid, stateCode, async () => {
      try {
        await api.call('CancelShipment', { shipmentUid })
        return { shipmentUid, stateCode: 'Cancelled', left: null }
      } catch (error) {
        if (!(error instanceof ApiRefusal) || !profile.reads) throw error
        // An earlier attempt or another program may have cancelled it already.
        const current = (await readShipment(api, shipmentUid))?.stateCode ?? stateCode
        const left = isFinalState(current) ? null : toRefusedReason(error.code)
        return { shipmentUid, stateCode: readStateCode(current) ?? current, left }
      }
    }),
  )
}

async function cancelIfEmpty(
  api: Api,
  shipmentUid: string,
  read: () => Promise<string | undefined>,
): Promise<CleanedShipment> {
  const untouchable = findUntouchable(shipmentUid, await read())
  if (untouchable !== undefined) return untouchable
  try {
    await api.call('CancelShipment', { shipmentUid })
    return { shipmentUid, stateCode: 'Cancelled', left: null }
  } catch (error) {
    if (!(error instanceof ApiRefusal)) throw error
    // It ended, or an item came in, after the read.
    const current = await read()
    const left = toRefusedReason(error.code)
    return findUntouchable(shipmentUid, current) ?? { shipmentUid, stateCode: current ?? 'Unknown', left }
  }
}

/** The result for a shipment that must not be cancelled; undefined when it may. */
function findUntouchable(shipmentUid: string, stateCode: string | undefined): CleanedShipment | undefined {
  if (stateCode === undefined) return { shipmentUid, stateCode: 'Unknown', left: leftOverReasons.unknownShipment }
  const state = readStateCode(stateCode)
  if (state === undefined) return { shipmentUid, stateCode, left: leftOverReasons.unknownState }
  if (isFinalState(state)) return { shipmentUid, stateCode: state, left: null }
  return holdsItem(state) ? { shipmentUid, stateCode: state, left: leftOverReasons.itemInside } : undefined
}

/** Faults are thrown, and retried by Temporal. */
async function leaveOnRefusal(
  shipmentUid: string,
  stateCode: string,
  work: () => Promise<CleanedShipment>,
): Promise<CleanedShipment> {
  try {
    return await work()
  } catch (error) {
    if (!isPermanent(error)) throw error
    return { shipmentUid, stateCode, left: toRefusedReason(error.code) }
  }
}
