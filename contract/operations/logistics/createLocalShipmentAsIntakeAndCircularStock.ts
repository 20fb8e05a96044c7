import { z } from 'zod'
import { uid } from '../../fields.ts'
import { operation } from '../../operation.ts'
import { bookedResponse, bookingErrors, bookingRequest } from './booking.ts'

export const CreateLocalShipmentAsIntakeAndCircularStock = operation({
  name: 'CreateLocalShipmentAsIntakeAndCircularStock',
  path: '/v1/Logistics/CreateLocalShipmentAsIntakeAndCircularStock',
  summary: 'Books a locker for an item that a user returns and that is then in stock.',
  effect: 'create',
  request: z.object({ ...bookingRequest, FromUserUid: uid }),
  response: bookedResponse,
  errors: [...bookingErrors, 'InvalidUserUid'],
})
