import { z } from 'zod'
import { name, text, uid } from '../../fields.ts'
import { operation } from '../../operation.ts'

export const SimulateLockerAccess = operation({
  name: 'SimulateLockerAccess',
  path: '/v1/Logistics/SimulateLockerAccess',
  summary: 'Opens a locker with a pin code, as a person at the pick up point would; the shipment advances.',
  section: 'Shipment management',
  effect: 'change',
  request: z.object({ pupUid: uid, lockerName: name, pinCode: text(20).min(1) }),
  response: z.object({}),
  errors: ['InvalidPupUid', 'InvalidLocker', 'InvalidAccessCode', 'TooManyAttempts'],
  stagingOnly: true,
})
