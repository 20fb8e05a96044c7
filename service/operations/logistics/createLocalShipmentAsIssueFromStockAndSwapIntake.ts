import { createLinkedShipment, issueFromStock } from '../../shipments/index.ts'
import type { Handler } from '../handler.ts'

type Name = 'CreateLocalShipmentAsIssueFromStockAndSwapIntake'

export const CreateLocalShipmentAsIssueFromStockAndSwapIntake: Handler<Name> = async (call, request) => {
  const { issue } = await issueFromStock(call, request)
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
