import { operation } from '../../operation.ts'
import { shipmentListing } from './shipmentListing.ts'

export const GetLocalShipments = operation({
  name: 'GetLocalShipments',
  path: '/v1/Logistics/GetLocalShipments',
  summary: 'As GetShipments, but only shipments that are dropped off and picked up.',
  section: 'Decisions: GetLocalShipments',
  effect: 'read',
  ...shipmentListing,
  errors: [],
})
