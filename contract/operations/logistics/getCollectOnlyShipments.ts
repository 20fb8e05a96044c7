import { operation } from '../../operation.ts'
import { shipmentListing } from './shipmentListing.ts'

export const GetCollectOnlyShipments = operation({
  name: 'GetCollectOnlyShipments',
  path: '/v1/Logistics/GetCollectOnlyShipments',
  summary: 'Lists like GetShipments, but only collect-only shipments.',
  specSection: 'D-095 Listings',
  effect: 'read',
  ...shipmentListing,
  errors: ['PageTooLarge'],
})
