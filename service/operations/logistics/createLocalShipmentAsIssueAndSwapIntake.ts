import { createLinkedShipment, createShipment } from '../../shipments/index.ts'
import type { Handler } from '../handler.ts'

export const CreateLocalShipmentAsIssueAndSwapIntake: Handler<'CreateLocalShipmentAsIssueAndSwapIntake'> = async (
  call,
  request,
) => {
  const user = { userUid: request.ToUserUid, field: 'ToUserUid' }
  const issue = await createShipment(call, { request, from: 'dispatcher', to: user, stock: false })
  const intake = await createLinkedShipment(call, {
    prior: issue,
    link: 'swap',
    from: { receiverOf: issue },
    to: 'dispatcher',
    stock: false,
    details: request.Return,
  })
  return { shipmentUids: [issue.shipment_uid, intake.shipment_uid] }
}
