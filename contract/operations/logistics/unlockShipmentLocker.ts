import { z } from 'zod'
import { optional, text, uid } from '../../fields.ts'
import { operation } from '../../operation.ts'

const unlockGoals = ['DropOff', 'PickUp'] as const

export const UnlockShipmentLocker = operation({
  name: 'UnlockShipmentLocker',
  path: '/v1/Logistics/UnlockShipmentLocker',
  summary: 'Opens the locker of a shipment. With an unlockGoal, the shipment changes its state when the door is open.',
  effect: 'change',
  request: z.object({
    shipmentUid: uid,
    unlockGoal: optional(z.enum(unlockGoals)),
    /** Absent or empty: the locker opens without a check. Without an unlockGoal, either code of the shipment is valid. */
    pinCode: optional(text(1_000)),
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
