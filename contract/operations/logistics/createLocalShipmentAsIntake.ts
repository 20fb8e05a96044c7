import { z } from 'zod'
import { uid } from '../../fields.ts'
import { operation } from '../../operation.ts'
import { bookedResponse, bookingErrors, bookingRequest } from './booking.ts'

export const CreateLocalShipmentAsIntake = operation({
  name: 'CreateLocalShipmentAsIntake',
  path: '/v1/Logistics/CreateLocalShipmentAsIntake',
  summary: 'Books a locker for an item that a user returns to the dispatcher.',
  effect: 'create',
  request: z.object({ ...bookingRequest, FromUserUid: uid }),
  response: bookedResponse,
  errors: [...bookingErrors, 'InvalidUserUid'],
})
