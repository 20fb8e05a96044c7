import { z } from 'zod'
import { description, reference, uid } from '../../fields.ts'
import { operation } from '../../operation.ts'

/** Required and not null. */
const givenReference = reference.unwrap().unwrap()

export const SetShipmentDetails = operation({
  name: 'SetShipmentDetails',
  path: '/v1/Logistics/SetShipmentDetails',
  summary: 'Replaces the references and the description of an active shipment.',
  specSection: 'Shipment management',
  effect: 'change',
  request: z.object({
    shipmentUid: uid,
    /** Nullable, but required. */
    Description: description.unwrap(),
    ReferenceNo: givenReference,
    ReferenceCaseNo: givenReference,
  }),
  response: z.object({}),
  errors: ['InvalidShipment', 'InvalidShipmentState'],
})
