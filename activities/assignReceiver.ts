import { type Api, ApiRefusal } from '#api'
import { translated } from './failures.ts'
import type { AssignReceiverOrder, SeenShipment } from './interface.ts'
import { readShipment, seen } from './shipments.ts'

/**
 * Names who collects a shipment. A refusal can be the echo of an earlier attempt whose answer was lost, so the
 * shipment is looked at: when it has this very receiver, what was asked for is done.
 */
export async function assignReceiver(api: Api, order: AssignReceiverOrder): Promise<SeenShipment | null> {
  const { shipmentUid, toUserUid, profile } = order
  return translated(async () => {
    const read = async () => (profile.reads ? await readShipment(api, shipmentUid) : undefined)
    try {
      await api.call('SetShipmentReceiver', { shipmentUid, toUserUid })
    } catch (error) {
      if (!(error instanceof ApiRefusal) || (await read())?.toUserUid !== toUserUid) throw error
    }
    const shipment = await read()
    return shipment === undefined ? null : seen(shipment)
  })
}
