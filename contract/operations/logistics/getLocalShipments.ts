import { operation } from '../../operation.ts'
import { shipmentListing } from './shipmentListing.ts'

export const GetLocalShipments = operation({
  name: 'GetLocalShipments',
  path: '/v1/Logistics/GetLocalShipments',
  summary: 'Lists like GetShipments, but only shipments that are dropped off and picked up.',
  specSection: 'D-095 Listings',
  effect: 'read',
  ...shipmentListing,
  errors: ['PageTooLarge'],
})
