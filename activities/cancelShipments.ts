import { type Api, ApiRefusal } from '#contract/client'
import { holdsItem, isFinalState, readStateCode, type StateCode } from '#contract/terms'
import { leftOverReasons, toRefusedReason } from '#flows'
import { isPermanent, withApplicationFailures } from './failures.ts'
import type { CancelShipmentsInput, CleanedShipment } from './interface.ts'
import { readShipment } from './shipments.ts'

/**
 * Cancels the shipments that hold no item. Each is read first, since the flow's state may be old and software must not
 * free a locker that is not empty. Shipments that cannot be cancelled are left, with the reason: one refusal must not
 * keep the others booked. Idempotent.
 */
export async function cancelShipments(
  api: Api,
  { shipments, profile, unusedStates = [] }: CancelShipmentsInput,
): Promise<CleanedShipment[]> {
  return withApplicationFailures(async () => {
    const cleaned: CleanedShipment[] = []
    const holdsNoItem = (state: StateCode) => unusedStates.includes(state) || !holdsItem(state)
    // The last one first: the service cancels the shipments after a cancelled one, and refuses a second cancellation.
    for (const { shipmentUid, stateCode } of shipments.toReversed()) {
      const read = async () => (profile.reads ? (await readShipment(api, shipmentUid))?.stateCode : stateCode)
      const cancel = () => cancelIfEmpty(api, { shipmentUid, read, holdsNoItem })
      cleaned.push(await leaveOnRefusal(shipmentUid, stateCode, cancel))
    }
    return cleaned
  })
}

interface Cancellation {
  readonly shipmentUid: string
  /** Returns the current state code; undefined for a shipment that the service does not know. */
  readonly read: () => Promise<string | undefined>
  readonly holdsNoItem: (state: StateCode) => boolean
}

async function cancelIfEmpty(api: Api, cancellation: Cancellation): Promise<CleanedShipment> {
  const { shipmentUid, read } = cancellation
  const untouchable = findUntouchable(cancellation, await read())
  if (untouchable !== undefined) return untouchable
  try {
    await api.call('CancelShipment', { shipmentUid })
    return { shipmentUid, stateCode: 'Cancelled', left: null }
  } catch (error) {
    if (!(error instanceof ApiRefusal)) throw error
    // It ended, or an item came in, after the read.
    const current = await read()
    const left = toRefusedReason(error.code)
    return findUntouchable(cancellation, current) ?? { shipmentUid, stateCode: current ?? 'Unknown', left }
  }
}

/** The result for a shipment that must not be cancelled; undefined when it may. */
function findUntouchable(
  { shipmentUid, holdsNoItem }: Cancellation,
  stateCode: string | undefined,
): CleanedShipment | undefined {
  if (stateCode === undefined) return { shipmentUid, stateCode: 'Unknown', left: leftOverReasons.unknownShipment }
  const state = readStateCode(stateCode)
  if (state === undefined) return { shipmentUid, stateCode, left: leftOverReasons.unknownState }
  if (isFinalState(state)) return { shipmentUid, stateCode: state, left: null }
  return holdsNoItem(state) ? undefined : { shipmentUid, stateCode: state, left: leftOverReasons.itemInside }
}

/** Faults are thrown, and retried by Temporal. */
export async function leaveOnRefusal(
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
