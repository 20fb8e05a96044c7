import { z } from 'zod'
import { operation } from '../../operation.ts'
import { booked, issuing, issuingErrors, returning } from './booking.ts'

export const CreateLocalShipmentAsIssueFromStockAndSwapIntake = operation({
  name: 'CreateLocalShipmentAsIssueFromStockAndSwapIntake',
  path: '/v1/Logistics/CreateLocalShipmentAsIssueFromStockAndSwapIntake',
  summary: 'Issues an item from stock to a user, who brings another one back in the same opening.',
  section: 'Flow-specific local operations',
  effect: 'create',
  request: z.object({ ...issuing, ...returning }),
  response: booked,
  errors: issuingErrors,
})
