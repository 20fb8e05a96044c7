import { z } from 'zod'
import { description, reference, uid } from '../../fields.ts'
import { operation } from '../../operation.ts'

/** Neither left out nor null. */
const givenReference = reference.unwrap().unwrap()

export const SetShipmentDetails = operation({
  name: 'SetShipmentDetails',
  path: '/v1/Logistics/SetShipmentDetails',
  summary: 'Overrides the references and the text of a shipment that has not ended.',
  section: 'Shipment management',
  effect: 'change',
  request: z.object({
    shipmentUid: uid,
    /** May be null, but not left out. */
    Description: description.unwrap(),
    ReferenceNo: givenReference,
    ReferenceCaseNo: givenReference,
  }),
  response: z.object({}),
  errors: ['InvalidShipment', 'InvalidShipmentState'],
})
