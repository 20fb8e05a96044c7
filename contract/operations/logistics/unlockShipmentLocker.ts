import { z } from 'zod'
import { text, uid } from '../../fields.ts'
import { operation } from '../../operation.ts'

export const unlockGoals = ['DropOff', 'PickUp'] as const

export const UnlockShipmentLocker = operation({
  name: 'UnlockShipmentLocker',
  path: '/v1/Logistics/UnlockShipmentLocker',
  summary: 'Opens the locker of a shipment; with a goal the shipment advances once the door is open.',
  section: 'Shipment management',
  effect: 'change',
  request: z.object({
    shipmentUid: uid,
    unlockGoal: z.enum(unlockGoals).nullish(),
    /** Left out or empty: the locker opens regardless of the code. */
    pinCode: text(20).nullish(),
  }),
  response: z.object({}),
  errors: [
    'InvalidShipment',
    'InvalidShipmentState',
    'UnlockNotAllowed',
    'InvalidAccessCode',
    'UnlockFailed',
    'TooManyAttempts',
  ],
})
