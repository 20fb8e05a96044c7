import type { RequestOf } from '#contract'
import type { Model, Shipment } from '../model/model.ts'
import { book, dispatcherOf } from './bookings.ts'
import type { Caller, Rules } from './rule.ts'

type Collecting = RequestOf<'CreateCollectOnlyShipmentAsCollectByDispatcher'>

/** Books a collect-only shipment from the dispatcher to the collector. */
function collect(model: Model, caller: Caller, request: Collecting, collector: string): Shipment {
  const { KeepBookedAfterPickUp: kept } = request
  return book(model, caller, request, { to: collector }, { type: 'CollectOnlyShipment', kept })
}

export const collecting: Rules<
  | 'CreateCollectOnlyShipment'
  | 'CreateCollectOnlyShipmentAsCollectByDispatcher'
  | 'CreateCollectOnlyShipmentAsCollectByUser'
> = {
  CreateCollectOnlyShipment(model, request, caller) {
    const made = collect(model, caller, request, request.ToUserUid ?? dispatcherOf(model, caller))
    return { shipmentUid: made.name, pupUid: made.pupUid, lockerName: made.lockerUid.split(':')[1] ?? '' }
  },
  CreateCollectOnlyShipmentAsCollectByDispatcher(model, request, caller) {
    return { shipmentUids: [collect(model, caller, request, dispatcherOf(model, caller)).name] }
  },
  CreateCollectOnlyShipmentAsCollectByUser(model, request, caller) {
    return { shipmentUids: [collect(model, caller, request, request.ToUserUid).name] }
  },
}
