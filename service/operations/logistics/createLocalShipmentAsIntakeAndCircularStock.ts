import { book, bookAfter } from '../../shipments/index.ts'
import type { Handler } from '../call.ts'

type Name = 'CreateLocalShipmentAsIntakeAndCircularStock'

/** An intake from the user, and the stock that its item is once it is dropped off. */
export const CreateLocalShipmentAsIntakeAndCircularStock: Handler<Name> = async (call, request) => {
  const from = { userUid: request.FromUserUid, field: 'FromUserUid' }
  const intake = await book(call, { request, from, to: 'dispatcher', stock: false })
  const stock = await bookAfter(call, {
    prior: intake,
    link: 'circular',
    from: 'dispatcher',
    to: null,
    stock: true,
    details: request.Details,
  })
  return { shipmentUids: [intake.shipment_uid, stock.shipment_uid] }
}
