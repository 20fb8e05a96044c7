import { z } from 'zod'
import { text, uid } from '../../fields.ts'
import { operation } from '../../operation.ts'

export const unlockGoals = ['DropOff', 'PickUp'] as const

export const UnlockShipmentLocker = operation({
  name: 'UnlockShipmentLocker',
  path: '/v1/Logistics/UnlockShipmentLocker',
  summary: 'Opens the locker of a shipment. With an unlockGoal, the shipment changes its state when the door is open.',
  specSection: 'Shipment management',
  effect: 'change',
  request: z.object({
    shipmentUid: uid,
    unlockGoal: z.enum(unlockGoals).nullish(),
    /** Absent or empty: the locker opens without a check. */
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
