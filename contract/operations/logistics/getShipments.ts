import { operation } from '../../operation.ts'
import { shipmentListing } from './shipmentListing.ts'

export const GetShipments = operation({
  name: 'GetShipments',
  path: '/v1/Logistics/GetShipments',
  summary: 'Lists your shipments by state, user, pick up point, case or time.',
  specSection: 'open in the specification',
  effect: 'read',
  ...shipmentListing,
  errors: ['PageTooLarge'],
})
