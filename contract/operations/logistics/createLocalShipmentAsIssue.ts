import { z } from 'zod'
import { uid } from '../../fields.ts'
import { operation } from '../../operation.ts'
import { bookedResponse, bookingErrors, bookingRequest } from './booking.ts'

export const CreateLocalShipmentAsIssue = operation({
  name: 'CreateLocalShipmentAsIssue',
  path: '/v1/Logistics/CreateLocalShipmentAsIssue',
  summary: 'Books a locker for an item that the dispatcher issues to a user.',
  effect: 'create',
  request: z.object({ ...bookingRequest, ToUserUid: uid }),
  response: bookedResponse,
  errors: [...bookingErrors, 'InvalidUserUid'],
})
