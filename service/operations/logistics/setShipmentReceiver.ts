import { lockShipment, resolveParty, transition } from '../../shipments/index.ts'
import type { Handler } from '../handler.ts'

/** Sets the receiver of a shipment without one, or removes the receiver while the locker is empty. */
export const SetShipmentReceiver: Handler<'SetShipmentReceiver'> = async (call, request) => {
  const shipment = await lockShipment(call, request.shipmentUid)
  if (request.removeReceiver === true) {
    await transition(call, shipment, { type: 'removeReceiver' }, { to_user_uid: null })
    return {}
  }
  const to_user_uid = await resolveParty(call, { userUid: request.toUserUid ?? '', field: 'toUserUid' })
  const reference_case_no = request.caseReferenceNew ?? shipment.reference_case_no
  await transition(call, shipment, { type: 'setReceiver' }, { to_user_uid, reference_case_no })
  return {}
}
