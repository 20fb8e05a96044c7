import { createShipment } from '../../shipments/index.ts'
import type { Handler } from '../handler.ts'

type Name = 'CreateCollectOnlyShipmentAsCollectByDispatcher'

export const CreateCollectOnlyShipmentAsCollectByDispatcher: Handler<Name> = async (call, request) => {
  const collectOnly = { keepBooked: request.KeepBookedAfterPickUp }
  const shipment = await createShipment(call, {
    request,
    from: 'dispatcher',
    to: 'dispatcher',
    stock: false,
    collectOnly,
  })
  return { shipmentUids: [shipment.shipment_uid] }
}
