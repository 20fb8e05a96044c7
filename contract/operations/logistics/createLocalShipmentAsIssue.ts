import { z } from 'zod'
import { uid } from '../../fields.ts'
import { operation } from '../../operation.ts'
import { booked, booking, bookingErrors } from './booking.ts'

export const CreateLocalShipmentAsIssue = operation({
  name: 'CreateLocalShipmentAsIssue',
  path: '/v1/Logistics/CreateLocalShipmentAsIssue',
  summary: 'Books a locker for an item that the dispatcher issues to a user.',
  section: 'Flow-specific local operations',
  effect: 'create',
  request: z.object({ ...booking, ToUserUid: uid }),
  response: booked,
  errors: [...bookingErrors, 'InvalidUserUid'],
})
