import { z } from 'zod'
import { details } from '../../fields.ts'
import { operation } from '../../operation.ts'
import { bookedResponse, issueAndReturnErrors, issueRequest, returnRequest } from './booking.ts'

export const CreateLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock = operation({
  name: 'CreateLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock',
  path: '/v1/Logistics/CreateLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock',
  summary: 'Lends an item from stock: it is issued to a user, returned later, and then in stock again.',
  effect: 'create',
  request: z.object({ ...issueRequest, ...returnRequest, Details: details.nullish() }),
  response: bookedResponse,
  errors: issueAndReturnErrors,
})
