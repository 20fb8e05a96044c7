import { bookAfter, shipmentToChange } from '../../shipments/index.ts'
import type { Handler } from '../call.ts'

/** A stock shipment that swaps an existing one, which keeps its pick up code. */
export const CreateLocalShipmentAsStockAfterSwapIntake: Handler<'CreateLocalShipmentAsStockAfterSwapIntake'> = async (
  call,
  { PriorShipmentUid, Dimension, Details },
) => {
  const stock = await bookAfter(call, {
    prior: await shipmentToChange(call, PriorShipmentUid, 'PriorShipmentUid'),
    link: 'swap',
    from: 'dispatcher',
    to: null,
    stock: true,
    dimension: Dimension,
    details: Details,
  })
  return { shipmentUids: [stock.shipment_uid] }
}
