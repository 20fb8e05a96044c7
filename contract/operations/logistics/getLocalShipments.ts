import { operation } from '../../operation.ts'
import { shipmentListing } from './shipmentListing.ts'

export const GetLocalShipments = operation({
  name: 'GetLocalShipments',
  path: '/v1/Logistics/GetLocalShipments',
  summary: 'Lists shipments as GetShipments does, but only those that are dropped off and picked up.',
  effect: 'read',
  ...shipmentListing,
  errors: ['PageTooLarge'],
})
