import { recordBounded } from '../../audit/index.ts'
import { readAccessCodes } from '../../lockers/index.ts'
import { requireShipment } from '../../shipments/index.ts'
import type { Handler } from '../handler.ts'

export const GetShipmentAccessCode: Handler<'GetShipmentAccessCode'> = async (call, { shipmentUid }) => {
  const codes = readAccessCodes(call, await requireShipment(call, shipmentUid))
  if (codes.pickUpCode !== null || codes.deliveryCode !== null) {
    const { tx, tenantId, clientId, now } = call
    await recordBounded(tx, { action: 'code.read', tenantId, clientId, now, subject: shipmentUid })
  }
  return { shipmentUid, ...codes }
}
