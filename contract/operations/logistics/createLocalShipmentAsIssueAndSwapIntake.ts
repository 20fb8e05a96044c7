import { z } from 'zod'
import { uid } from '../../fields.ts'
import { operation } from '../../operation.ts'
import { bookedResponse, bookingErrors, bookingRequest, returnRequest } from './booking.ts'

export const CreateLocalShipmentAsIssueAndSwapIntake = operation({
  name: 'CreateLocalShipmentAsIssueAndSwapIntake',
  path: '/v1/Logistics/CreateLocalShipmentAsIssueAndSwapIntake',
  summary: 'Issues an item to a user, who returns another item in the same door opening.',
  effect: 'create',
  request: z.object({ ...bookingRequest, ...returnRequest, ToUserUid: uid }),
  response: bookedResponse,
  errors: [...bookingErrors, 'InvalidUserUid'],
})
