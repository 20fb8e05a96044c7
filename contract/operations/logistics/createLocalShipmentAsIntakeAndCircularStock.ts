import { z } from 'zod'
import { uid } from '../../fields.ts'
import { operation } from '../../operation.ts'
import { booked, booking, bookingErrors } from './booking.ts'

export const CreateLocalShipmentAsIntakeAndCircularStock = operation({
  name: 'CreateLocalShipmentAsIntakeAndCircularStock',
  path: '/v1/Logistics/CreateLocalShipmentAsIntakeAndCircularStock',
  summary: 'Books a locker for an item that a user brings back and that is stock from then on.',
  section: 'Flow-specific local operations',
  effect: 'create',
  request: z.object({ ...booking, FromUserUid: uid }),
  response: booked,
  errors: [...bookingErrors, 'InvalidUserUid'],
})
