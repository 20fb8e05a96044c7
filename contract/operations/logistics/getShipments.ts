import { operation } from '../../operation.ts'
import { shipmentListing } from './shipmentListing.ts'

export const GetShipments = operation({
  name: 'GetShipments',
  path: '/v1/Logistics/GetShipments',
  summary: 'Lists your shipments by state, user, pick up point, case or time.',
  effect: 'read',
  ...shipmentListing,
  errors: ['PageTooLarge'],
})
