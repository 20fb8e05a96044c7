import { z } from 'zod'
import { uid } from '../../fields.ts'
import { operation } from '../../operation.ts'
import { booked, booking, bookingErrors, returning } from './booking.ts'

export const CreateLocalShipmentAsIssueAndSwapIntake = operation({
  name: 'CreateLocalShipmentAsIssueAndSwapIntake',
  path: '/v1/Logistics/CreateLocalShipmentAsIssueAndSwapIntake',
  summary: 'Issues an item to a user, who brings another one back in the same opening.',
  section: 'Flow-specific local operations',
  effect: 'create',
  request: z.object({ ...booking, ...returning, ToUserUid: uid }),
  response: booked,
  errors: [...bookingErrors, 'InvalidUserUid'],
})
