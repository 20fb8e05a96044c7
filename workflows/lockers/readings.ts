import { readShipments, readShipmentsOnce } from '../activities.ts'
import { type PlannedFlow, recordRejection } from '../context.ts'
import { noteRecordedEvent } from '../continueAsNew.ts'
import { isActivityError, toErrorCode } from '../failures.ts'
import { applySnapshots } from './shipments.ts'

/**
 * Reads the shipments and applies their states. False when the service did not respond.
 * @param urgent worth a minute of retries
 */
export async function pollShipments(flow: PlannedFlow, { urgent }: { urgent: boolean }): Promise<boolean> {
  const shipmentUids = flow.progress.lockers.shipments.map(({ shipmentUid }) => shipmentUid)
  for (const read of urgent ? [readShipmentsOnce, readShipments] : [readShipmentsOnce]) {
    try {
      const snapshots = await read(flow.runtime, { shipmentUids })
      // A booking that ended meanwhile has added shipments that were not asked for.
      const { plan, lockers } = flow.progress
      const shipments = lockers.shipments.filter(({ shipmentUid }) => shipmentUids.includes(shipmentUid))
      for (const sentence of applySnapshots(plan, shipments, snapshots)) recordRejection(flow, sentence)
      return true
    } catch (error) {
      if (!isActivityError(error)) throw error
      recordRejection(flow, `the service could not be read: ${toErrorCode(error)}`)
    } finally {
      noteRecordedEvent(flow)
    }
  }
  return false
}
