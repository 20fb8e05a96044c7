import { shipmentTypes } from '#contract/terms'
import { listShipments } from '../../shipments/index.ts'
import type { Handler } from '../call.ts'

/** The shipments that the caller made for a collection only. */
export const GetCollectOnlyShipments: Handler<'GetCollectOnlyShipments'> = (call, request) =>
  listShipments(call, request, shipmentTypes.collectOnly)
