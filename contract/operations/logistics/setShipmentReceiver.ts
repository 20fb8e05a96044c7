import { z } from 'zod'
import { reference, uid } from '../../fields.ts'
import { operation } from '../../operation.ts'

export const SetShipmentReceiver = operation({
  name: 'SetShipmentReceiver',
  path: '/v1/Logistics/SetShipmentReceiver',
  summary: 'Sets or removes the receiver of a shipment.',
  specSection: 'Shipment management',
  effect: 'change',
  request: z
    .object({
      shipmentUid: uid,
      /** Ignored if removeReceiver is true. */
      toUserUid: uid.or(z.literal('')).nullish(),
      /** Replaces ReferenceCaseNo when a receiver is set. */
      caseReferenceNew: reference,
      removeReceiver: z.boolean().nullish(),
    })
    .refine(({ toUserUid, removeReceiver }) => removeReceiver === true || Boolean(toUserUid), {
      path: ['toUserUid'],
      error: 'must be set unless removeReceiver is true',
    }),
  response: z.object({}),
  errors: ['InvalidShipment', 'InvalidUserUid', 'InvalidShipmentState'],
})
