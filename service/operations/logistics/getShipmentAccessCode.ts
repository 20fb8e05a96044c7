import { recordBounded } from '../../audit/index.ts'
import { requireShipment } from '../../shipments/index.ts'
import type { Handler } from '../handler.ts'

export const GetShipmentAccessCode: Handler<'GetShipmentAccessCode'> = async (call, { shipmentUid }) => {
  const { pick_up_code: pickUpCode, delivery_code: deliveryCode } = await requireShipment(call, shipmentUid)
  if (pickUpCode !== null || deliveryCode !== null) {
    const { tx, tenantId, clientId, now } = call
    await recordBounded(tx, { action: 'code.read', tenantId, clientId, now, subject: shipmentUid })
  }
  return { shipmentUid, pickUpCode, deliveryCode }
}
