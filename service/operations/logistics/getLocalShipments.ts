import { shipmentTypes } from '#contract/terms'
import { listShipments } from '../../shipments/index.ts'
import type { Handler } from '../call.ts'

/** The shipments that the caller made, those for a collection only left out. */
export const GetLocalShipments: Handler<'GetLocalShipments'> = (call, request) =>
  listShipments(call, request, shipmentTypes.local)
