import { issueFromStock } from '../../shipments/index.ts'
import type { Handler } from '../call.ts'

/** The stock shipment itself, which is now on its way to the user. */
export const CreateLocalShipmentAsIssueFromStock: Handler<'CreateLocalShipmentAsIssueFromStock'> = async (
  call,
  request,
) => {
  const { issue } = await issueFromStock(call, request)
  return { shipmentUids: [issue.shipment_uid] }
}
