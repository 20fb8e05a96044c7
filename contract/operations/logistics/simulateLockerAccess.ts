import { z } from 'zod'
import { name, text, uid } from '../../fields.ts'
import { operation } from '../../operation.ts'

export const SimulateLockerAccess = operation({
  name: 'SimulateLockerAccess',
  path: '/v1/Logistics/SimulateLockerAccess',
  summary: 'Simulates a person who opens a locker with a PIN; the shipment changes its state.',
  effect: 'change',
  request: z.object({ pupUid: uid, lockerName: name, pinCode: text(1_000).min(1) }),
  response: z.object({}),
  errors: ['InvalidPupUid', 'InvalidLocker', 'LockerOutOfService', 'InvalidAccessCode', 'TooManyAttempts'],
  stagingOnly: true,
})
