import type { BookingHandler } from '../handler.ts'

type Name = 'CreateCollectOnlyShipmentAsCollectByUser'

export const CreateCollectOnlyShipmentAsCollectByUser: BookingHandler<Name> = {
  toShipment: request => ({
    request,
    from: 'dispatcher',
    to: { userUid: request.ToUserUid, field: 'ToUserUid' },
    stock: false,
    collectOnly: { keepBooked: request.KeepBookedAfterPickUp },
  }),
  toResponse: shipmentUid => ({ shipmentUids: [shipmentUid] }),
}
