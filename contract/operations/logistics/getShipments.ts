import { operation } from '../../operation.ts'
import { shipmentListing } from './shipmentListing.ts'

export const GetShipments = operation({
  name: 'GetShipments',
  path: '/v1/Logistics/GetShipments',
  summary: 'Lists the shipments that the caller made, by state, user, pick up point, case or time.',
  section: 'Decisions: GetShipments',
  effect: 'read',
  ...shipmentListing,
  errors: [],
})
