import { z } from 'zod'
import { reference, uid } from '../../fields.ts'
import { operation } from '../../operation.ts'

export const SetShipmentReceiver = operation({
  name: 'SetShipmentReceiver',
  path: '/v1/Logistics/SetShipmentReceiver',
  summary: 'Names the user who collects a shipment, or removes the one that is named.',
  section: 'Shipment management',
  effect: 'change',
  request: z
    .object({
      shipmentUid: uid,
      /** Ignored when removing. */
      toUserUid: uid.or(z.literal('')).nullish(),
      /** Overrides the case number; only when setting. */
      caseReferenceNew: reference,
      removeReceiver: z.boolean().nullish(),
    })
    .refine(({ toUserUid, removeReceiver }) => removeReceiver === true || Boolean(toUserUid), {
      path: ['toUserUid'],
      error: 'is needed unless removeReceiver is true',
    }),
  response: z.object({}),
  errors: ['InvalidShipment', 'InvalidUserUid', 'InvalidShipmentState'],
})
