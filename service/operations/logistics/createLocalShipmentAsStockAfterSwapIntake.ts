import { createLinkedShipment, lockIntake } from '../../shipments/index.ts'
import type { Handler } from '../handler.ts'

/** Creates a stock shipment that swaps an existing intake, which keeps its pick up code. */
export const CreateLocalShipmentAsStockAfterSwapIntake: Handler<'CreateLocalShipmentAsStockAfterSwapIntake'> = async (
  call,
  { PriorShipmentUid, Dimension, Details },
) => {
  const stock = await createLinkedShipment(call, {
    prior: await lockIntake(call, PriorShipmentUid),
    link: 'swap',
    from: 'dispatcher',
    to: null,
    stock: true,
    dimension: Dimension,
    details: Details,
  })
  return { shipmentUids: [stock.shipment_uid] }
}
