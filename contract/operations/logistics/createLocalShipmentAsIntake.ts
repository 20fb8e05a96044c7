import { z } from 'zod'
import { uid } from '../../fields.ts'
import { operation } from '../../operation.ts'
import { booked, booking, bookingErrors } from './booking.ts'

export const CreateLocalShipmentAsIntake = operation({
  name: 'CreateLocalShipmentAsIntake',
  path: '/v1/Logistics/CreateLocalShipmentAsIntake',
  summary: 'Books a locker for an item that a user brings to the dispatcher.',
  section: 'Flow-specific local operations',
  effect: 'create',
  request: z.object({ ...booking, FromUserUid: uid }),
  response: booked,
  errors: [...bookingErrors, 'InvalidUserUid'],
})
