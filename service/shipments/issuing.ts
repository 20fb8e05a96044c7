import type { ReadRequestOf } from '#contract'
import type { Call } from '../operations/call.ts'
import { renewPickUpCode } from './accessCodes.ts'
import { advance } from './advance.ts'
import { shipmentOf, shipmentToChange } from './find.ts'
import type { Shipment } from './make.ts'
import { userUidOf } from './parties.ts'

type Request = ReadRequestOf<'CreateLocalShipmentAsIssueFromStock'>

/** A stock shipment, as it was and as it is now that it has a receiver. */
export interface Issued {
  readonly stock: Shipment
  readonly issue: Shipment
}

/**
 * Gives a stock shipment its receiver and a new pick up code: whoever knew the old one is not the receiver.
 * Checked in this order: stock shipment, user, its state.
 * @throws Refusal InvalidShipment, InvalidUserUid, InvalidShipmentState
 */
export async function issueFromStock(call: Call, request: Request): Promise<Issued> {
  const { PriorShipmentUid, ToUserUid, Issue } = request
  const stock = await shipmentToChange(call, PriorShipmentUid, 'PriorShipmentUid')
  const to_user_uid = await userUidOf(call, { userUid: ToUserUid, field: 'ToUserUid' })
  const reference_case_no = Issue?.ReferenceCaseNo ?? stock.reference_case_no
  await advance(call, stock, { type: 'issueFromStock' }, { to_user_uid, reference_case_no })
  await renewPickUpCode(call, stock)
  return { stock, issue: await shipmentOf(call, PriorShipmentUid) }
}
