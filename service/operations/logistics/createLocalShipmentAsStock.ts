import { book } from '../../shipments/index.ts'
import type { Handler } from '../call.ts'

/** One stock shipment, from the dispatcher and without a receiving user. */
export const CreateLocalShipmentAsStock: Handler<'CreateLocalShipmentAsStock'> = async (call, request) => {
  const stock = await book(call, { request, from: 'dispatcher', to: null, stock: true })
  return { shipmentUids: [stock.shipment_uid] }
}
