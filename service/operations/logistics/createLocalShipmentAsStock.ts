import type { BookingHandler } from '../handler.ts'

export const CreateLocalShipmentAsStock: BookingHandler<'CreateLocalShipmentAsStock'> = {
  toShipment: request => ({ request, from: 'dispatcher', to: null, stock: true }),
  toResponse: shipmentUid => ({ shipmentUids: [shipmentUid] }),
}
