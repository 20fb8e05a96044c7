import { createShipment } from '../../shipments/index.ts'
import type { Handler } from '../handler.ts'

export const CreateLocalShipmentAsIntake: Handler<'CreateLocalShipmentAsIntake'> = async (call, request) => {
  const from = { userUid: request.FromUserUid, field: 'FromUserUid' }
  const intake = await createShipment(call, { request, from, to: 'dispatcher', stock: false })
  return { shipmentUids: [intake.shipment_uid] }
}
