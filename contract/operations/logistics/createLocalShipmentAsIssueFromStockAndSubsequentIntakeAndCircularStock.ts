import { z } from 'zod'
import { details } from '../../fields.ts'
import { operation } from '../../operation.ts'
import { booked, issuing, issuingErrors, returning } from './booking.ts'

export const CreateLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock = operation({
  name: 'CreateLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock',
  path: '/v1/Logistics/CreateLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock',
  summary: 'Lends an item from stock to a user: issued, brought back later, and stock again.',
  section: 'Flow-specific local operations',
  effect: 'create',
  request: z.object({ ...issuing, ...returning, Details: details.nullish() }),
  response: booked,
  errors: issuingErrors,
})
