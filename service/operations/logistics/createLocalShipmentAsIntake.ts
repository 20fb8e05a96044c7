import type { BookingHandler } from '../handler.ts'

export const CreateLocalShipmentAsIntake: BookingHandler<'CreateLocalShipmentAsIntake'> = {
  toShipment: request => ({
    request,
    from: { userUid: request.FromUserUid, field: 'FromUserUid' },
    to: 'dispatcher',
    stock: false,
  }),
  toResponse: shipmentUid => ({ shipmentUids: [shipmentUid] }),
}
