import { z } from 'zod'
import { operation } from '../../operation.ts'
import { bookedResponse, bookingErrors, bookingRequest } from './booking.ts'

export const CreateLocalShipmentAsStock = operation({
  name: 'CreateLocalShipmentAsStock',
  path: '/v1/Logistics/CreateLocalShipmentAsStock',
  summary: 'Books a locker for a stock item without a receiver.',
  effect: 'create',
  request: z.object(bookingRequest),
  response: bookedResponse,
  errors: bookingErrors,
})
