import { book } from '../../shipments/index.ts'
import type { Handler } from '../call.ts'

type Name = 'CreateCollectOnlyShipmentAsCollectByDispatcher'

/** One shipment that is ready for pick up by the dispatcher. */
export const CreateCollectOnlyShipmentAsCollectByDispatcher: Handler<Name> = async (call, request) => {
  const collectOnly = { kept: request.KeepBookedAfterPickUp }
  const made = await book(call, { request, from: 'dispatcher', to: 'dispatcher', stock: false, collectOnly })
  return { shipmentUids: [made.shipment_uid] }
}
