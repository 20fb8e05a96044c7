import { z } from 'zod'
import { operation } from '../../operation.ts'
import { bookedResponse, issueAndReturnErrors, issueRequest, returnRequest } from './booking.ts'

export const CreateLocalShipmentAsIssueFromStockAndSwapIntake = operation({
  name: 'CreateLocalShipmentAsIssueFromStockAndSwapIntake',
  path: '/v1/Logistics/CreateLocalShipmentAsIssueFromStockAndSwapIntake',
  summary: 'Issues an item from stock to a user, who returns another item in the same door opening.',
  effect: 'create',
  request: z.object({ ...issueRequest, ...returnRequest }),
  response: bookedResponse,
  errors: issueAndReturnErrors,
})
