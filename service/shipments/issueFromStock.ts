import type { ReadRequestOf } from '#contract'
import type { Call } from '../call.ts'
import { renewPickUpCode } from '../lockers/index.ts'
import { resolveParty } from './create.ts'
import { lockShipment, requireShipment, type Shipment } from './load.ts'
import { transition } from './transition.ts'

type Request = ReadRequestOf<'CreateLocalShipmentAsIssueFromStock'>

/** A stock shipment before and after it got its receiver. */
export interface Issued {
  readonly stock: Shipment
  readonly issue: Shipment
}

/**
 * Assigns a receiver to a stock shipment and renews its pick up code, because others may know the old code.
 * Order of checks: stock shipment, user, state. The caller checks the locker, since the state must also allow a follower.
 * @throws OperationError InvalidShipment, InvalidUserUid, InvalidShipmentState
 */
export async function issueFromStock(call: Call, request: Request): Promise<Issued> {
  const { PriorShipmentUid, ToUserUid, Issue } = request
  const stock = await lockShipment(call, PriorShipmentUid, 'PriorShipmentUid')
  const to_user_uid = await resolveParty(call, { userUid: ToUserUid, field: 'ToUserUid' })
  const reference_case_no = Issue?.ReferenceCaseNo ?? stock.reference_case_no
  await transition(call, stock, { type: 'issueFromStock' }, { to_user_uid, reference_case_no })
  await renewPickUpCode(call, stock)
  return { stock, issue: await requireShipment(call, PriorShipmentUid) }
}
