import { advance, shipmentToChange, userUidOf } from '../../shipments/index.ts'
import type { Handler } from '../call.ts'

/** Names who collects a shipment that has nobody for that yet, or removes who is named while nothing is in the locker. */
export const SetShipmentReceiver: Handler<'SetShipmentReceiver'> = async (call, request) => {
  const shipment = await shipmentToChange(call, request.shipmentUid)
  if (request.removeReceiver === true) {
    await advance(call, shipment, { type: 'removeReceiver' }, { to_user_uid: null })
    return {}
  }
  const to_user_uid = await userUidOf(call, { userUid: request.toUserUid ?? '', field: 'toUserUid' })
  const reference_case_no = request.caseReferenceNew ?? shipment.reference_case_no
  await advance(call, shipment, { type: 'setReceiver' }, { to_user_uid, reference_case_no })
  return {}
}
