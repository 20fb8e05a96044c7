import { z } from 'zod'
import { operation } from '../../operation.ts'
import { booked, issuing, issuingErrors } from './booking.ts'

export const CreateLocalShipmentAsIssueFromStock = operation({
  name: 'CreateLocalShipmentAsIssueFromStock',
  path: '/v1/Logistics/CreateLocalShipmentAsIssueFromStock',
  summary: 'Issues an item that is in stock to a user.',
  section: 'Flow-specific local operations',
  effect: 'create',
  request: z.object({ ...issuing }),
  response: booked,
  errors: issuingErrors,
})
