import { bookAfter, issueFromStock } from '../../shipments/index.ts'
import type { Handler } from '../call.ts'

type Name = 'CreateLocalShipmentAsIssueFromStockAndSwapIntake'

/** The stock shipment, issued to the user, and an intake from that user that swaps it. */
export const CreateLocalShipmentAsIssueFromStockAndSwapIntake: Handler<Name> = async (call, request) => {
  const { issue } = await issueFromStock(call, request)
  const intake = await bookAfter(call, {
    prior: issue,
    link: 'swap',
    from: { userUid: request.ToUserUid, field: 'ToUserUid' },
    to: 'dispatcher',
    stock: false,
    details: request.Return,
  })
  return { shipmentUids: [issue.shipment_uid, intake.shipment_uid] }
}
