import { book, bookAfter } from '../../shipments/index.ts'
import type { Handler } from '../call.ts'

/** An issue from the dispatcher to the user, and an intake from that user that swaps it. */
export const CreateLocalShipmentAsIssueAndSwapIntake: Handler<'CreateLocalShipmentAsIssueAndSwapIntake'> = async (
  call,
  request,
) => {
  const user = { userUid: request.ToUserUid, field: 'ToUserUid' }
  const issue = await book(call, { request, from: 'dispatcher', to: user, stock: false })
  const intake = await bookAfter(call, {
    prior: issue,
    link: 'swap',
    from: user,
    to: 'dispatcher',
    stock: false,
    details: request.Return,
  })
  return { shipmentUids: [issue.shipment_uid, intake.shipment_uid] }
}
