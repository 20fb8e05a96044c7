import { lockShipment, transition } from '../../shipments/index.ts'
import type { Handler } from '../handler.ts'

export const CancelShipment: Handler<'CancelShipment'> = async (call, { shipmentUid }) => {
  await transition(call, await lockShipment(call, shipmentUid), { type: 'cancel' })
  return {}
}
