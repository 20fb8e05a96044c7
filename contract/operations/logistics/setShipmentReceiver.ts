import { z } from 'zod'
import { isObjectBody, optional, reference, uid } from '../../fields.ts'
import { operation } from '../../operation.ts'

export const SetShipmentReceiver = operation({
  name: 'SetShipmentReceiver',
  path: '/v1/Logistics/SetShipmentReceiver',
  summary: 'Sets or removes the receiver of a shipment.',
  effect: 'change',
  request: z
    .object({
      shipmentUid: uid,
      /** Ignored if removeReceiver is true, so an invalid one counts as absent. */
      toUserUid: optional(uid).catch(undefined),
      /** Replaces ReferenceCaseNo when a receiver is set, and is ignored otherwise. */
      caseReferenceNew: reference,
      removeReceiver: z.boolean().nullish(),
    })
    .refine(({ toUserUid, removeReceiver }) => removeReceiver === true || toUserUid != null, {
      path: ['toUserUid'],
      error: 'must be the uid of an account, unless removeReceiver is true',
      when: isObjectBody,
    })
    .superRefine(
      ({ removeReceiver }, { issues }) => {
        if (removeReceiver !== true) return
        const remaining = issues.filter(({ path }) => path?.[0] !== 'caseReferenceNew')
        issues.splice(0, issues.length, ...remaining)
      },
      // Runs even after an issue of a wrong type.
      { when: isObjectBody },
    ),
  response: z.object({}),
  errors: ['InvalidShipment', 'InvalidUserUid', 'InvalidShipmentState'],
})
