import { operation } from '../../operation.ts'
import { shipmentListing } from './shipmentListing.ts'

export const GetCollectOnlyShipments = operation({
  name: 'GetCollectOnlyShipments',
  path: '/v1/Logistics/GetCollectOnlyShipments',
  summary: 'Lists shipments as GetShipments does, but only collect-only ones.',
  effect: 'read',
  ...shipmentListing,
  errors: ['PageTooLarge'],
})
