import { book } from '../../shipments/index.ts'
import type { Handler } from '../call.ts'

/** One intake shipment, from the user to the dispatcher. */
export const CreateLocalShipmentAsIntake: Handler<'CreateLocalShipmentAsIntake'> = async (call, request) => {
  const from = { userUid: request.FromUserUid, field: 'FromUserUid' }
  const intake = await book(call, { request, from, to: 'dispatcher', stock: false })
  return { shipmentUids: [intake.shipment_uid] }
}
