import { z } from 'zod'
import { operation } from '../../operation.ts'
import { booked, booking, bookingErrors } from './booking.ts'

export const CreateLocalShipmentAsStock = operation({
  name: 'CreateLocalShipmentAsStock',
  path: '/v1/Logistics/CreateLocalShipmentAsStock',
  summary: 'Books a locker for an item that goes into stock, without a receiving user.',
  section: 'Flow-specific local operations',
  effect: 'create',
  request: z.object(booking),
  response: booked,
  errors: bookingErrors,
})
