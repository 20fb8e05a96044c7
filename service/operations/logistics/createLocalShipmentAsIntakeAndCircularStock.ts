import { createLinkedShipment, createShipment } from '../../shipments/index.ts'
import type { Handler } from '../handler.ts'

type Name = 'CreateLocalShipmentAsIntakeAndCircularStock'

/** Creates an intake from the user, and the stock shipment of its item after the drop off. */
export const CreateLocalShipmentAsIntakeAndCircularStock: Handler<Name> = async (call, request) => {
  const from = { userUid: request.FromUserUid, field: 'FromUserUid' }
  const intake = await createShipment(call, { request, from, to: 'dispatcher', stock: false })
  const stock = await createLinkedShipment(call, {
    prior: intake,
    link: 'circular',
    from: 'dispatcher',
    to: null,
    stock: true,
    details: request.Details,
  })
  return { shipmentUids: [intake.shipment_uid, stock.shipment_uid] }
}
