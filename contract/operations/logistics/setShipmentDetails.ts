import { z } from 'zod'
import { description, requiredReference, uid } from '../../fields.ts'
import { operation } from '../../operation.ts'

export const SetShipmentDetails = operation({
  name: 'SetShipmentDetails',
  path: '/v1/Logistics/SetShipmentDetails',
  summary: 'Replaces the references and the description of an active shipment.',
  effect: 'change',
  request: z.object({
    shipmentUid: uid,
    /** Nullable, but required. */
    Description: description.unwrap(),
    ReferenceNo: requiredReference,
    ReferenceCaseNo: requiredReference,
  }),
  response: z.object({}),
  errors: ['InvalidShipment', 'InvalidShipmentState'],
})
