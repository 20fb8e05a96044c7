import { assertTakesBookings } from '../../lockers/index.ts'
import { issueFromStock } from '../../shipments/index.ts'
import type { Handler } from '../handler.ts'

/** Issues a stock shipment to the user. The shipment keeps its uid. */
export const CreateLocalShipmentAsIssueFromStock: Handler<'CreateLocalShipmentAsIssueFromStock'> = async (
  call,
  request,
) => {
  const { issue } = await issueFromStock(call, request)
  if (issue.locker_uid !== null) await assertTakesBookings(call, issue.locker_uid)
  return { shipmentUids: [issue.shipment_uid] }
}
