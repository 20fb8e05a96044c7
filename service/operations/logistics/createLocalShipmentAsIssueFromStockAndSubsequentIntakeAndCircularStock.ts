import { bookAfter, issueFromStock } from '../../shipments/index.ts'
import type { Handler } from '../call.ts'

type Name = 'CreateLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock'

/** The stock shipment, issued to the user; the intake that brings its item back; and the stock that it is then. */
export const CreateLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock: Handler<Name> = async (
  call,
  request,
) => {
  const { stock, issue } = await issueFromStock(call, request)
  const intake = await bookAfter(call, {
    prior: issue,
    link: 'subsequent',
    from: { userUid: request.ToUserUid, field: 'ToUserUid' },
    to: 'dispatcher',
    stock: false,
    details: request.Return,
  })
  const circular = await bookAfter(call, {
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
