import type { BookingHandler } from '../handler.ts'

export const CreateLocalShipmentAsIssue: BookingHandler<'CreateLocalShipmentAsIssue'> = {
  toShipment: request => ({
    request,
    from: 'dispatcher',
    to: { userUid: request.ToUserUid, field: 'ToUserUid' },
    stock: false,
  }),
  toResponse: shipmentUid => ({ shipmentUids: [shipmentUid] }),
}
