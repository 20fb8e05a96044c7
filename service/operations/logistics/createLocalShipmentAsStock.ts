import { book } from '../../shipments/index.ts'
import type { Handler } from '../call.ts'

/** One stock shipment, from the dispatcher and without a receiving user. */
export const CreateLocalShipmentAsStock: Handler<'CreateLocalShipmentAsStock'> = async (call, request) => ({
  shipmentUids: [await book(call, { request, fromUserUid: null, toUserUid: null, stock: true })],
})
