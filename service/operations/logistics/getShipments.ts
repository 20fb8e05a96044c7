import { listShipments } from '../../shipments/index.ts'
import type { Handler } from '../call.ts'

/** The shipments that the caller made. */
export const GetShipments: Handler<'GetShipments'> = (call, request) => listShipments(call, request)
