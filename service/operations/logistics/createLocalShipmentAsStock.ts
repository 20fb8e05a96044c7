import { createShipment } from '../../shipments/index.ts'
import type { Handler } from '../handler.ts'

export const CreateLocalShipmentAsStock: Handler<'CreateLocalShipmentAsStock'> = async (call, request) => {
  const stock = await createShipment(call, { request, from: 'dispatcher', to: null, stock: true })
  return { shipmentUids: [stock.shipment_uid] }
}
