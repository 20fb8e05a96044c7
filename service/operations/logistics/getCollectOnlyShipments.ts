import { shipmentTypes } from '#contract/terms'
import { listShipments } from '../../shipments/index.ts'
import type { Handler } from '../handler.ts'

export const GetCollectOnlyShipments: Handler<'GetCollectOnlyShipments'> = (call, request) =>
  listShipments(call, request, shipmentTypes.collectOnly)
