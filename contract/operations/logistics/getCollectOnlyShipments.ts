import { operation } from '../../operation.ts'
import { shipmentListing } from './shipmentListing.ts'

export const GetCollectOnlyShipments = operation({
  name: 'GetCollectOnlyShipments',
  path: '/v1/Logistics/GetCollectOnlyShipments',
  summary: 'As GetShipments, but only shipments that are booked for a collection.',
  section: 'Decisions: GetCollectOnlyShipments',
  effect: 'read',
  ...shipmentListing,
  errors: [],
})
