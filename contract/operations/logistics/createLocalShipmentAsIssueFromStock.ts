import { z } from 'zod'
import { operation } from '../../operation.ts'
import { bookedResponse, issueErrors, issueRequest } from './booking.ts'

export const CreateLocalShipmentAsIssueFromStock = operation({
  name: 'CreateLocalShipmentAsIssueFromStock',
  path: '/v1/Logistics/CreateLocalShipmentAsIssueFromStock',
  summary: 'Issues an item from stock to a user.',
  effect: 'create',
  request: z.object({ ...issueRequest }),
  response: bookedResponse,
  errors: issueErrors,
})
