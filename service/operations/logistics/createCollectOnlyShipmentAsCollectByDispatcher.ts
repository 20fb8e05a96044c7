import type { BookingHandler } from '../handler.ts'

type Name = 'CreateCollectOnlyShipmentAsCollectByDispatcher'

export const CreateCollectOnlyShipmentAsCollectByDispatcher: BookingHandler<Name> = {
  toShipment: request => ({
    request,
    from: 'dispatcher',
    to: 'dispatcher',
    stock: false,
    collectOnly: { keepBooked: request.KeepBookedAfterPickUp },
  }),
  toResponse: shipmentUid => ({ shipmentUids: [shipmentUid] }),
}
