import { advance, shipmentToChange } from '../../shipments/index.ts'
import type { Handler } from '../call.ts'

/** Ends a shipment in any active state; its locker is free and its codes open nothing any more. */
export const CancelShipment: Handler<'CancelShipment'> = async (call, { shipmentUid }) => {
  await advance(call, await shipmentToChange(call, shipmentUid), { type: 'cancel' })
  return {}
}
