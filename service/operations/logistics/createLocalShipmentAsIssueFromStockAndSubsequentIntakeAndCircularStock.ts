import { createLinkedShipment, issueFromStock } from '../../shipments/index.ts'
import type { Handler } from '../handler.ts'

type Name = 'CreateLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock'

/** Issues a stock shipment to the user, and creates the intake that returns its item and the stock shipment after it. */
export const CreateLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock: Handler<Name> = async (
  call,
  request,
) => {
  const { stock, issue } = await issueFromStock(call, request)
  const intake = await createLinkedShipment(call, {
    prior: issue,
    link: 'subsequent',
    from: { receiverOf: issue },
    to: 'dispatcher',
    stock: false,
    details: request.Return,
  })
  const circular = await createLinkedShipment(call, {
    prior: intake,
    link: 'circular',
    from: 'dispatcher',
    to: null,
    stock: true,
    details: {
      ReferenceNo: request.Details?.ReferenceNo ?? stock.reference_no,
      ReferenceCaseNo: request.Details?.ReferenceCaseNo ?? stock.reference_case_no,
      Description: request.Details?.Description ?? stock.description,
    },
  })
  return { shipmentUids: [issue.shipment_uid, intake.shipment_uid, circular.shipment_uid] }
}
