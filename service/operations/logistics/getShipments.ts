import { listShipments } from '../../shipments/index.ts'
import type { Handler } from '../handler.ts'

export const GetShipments: Handler<'GetShipments'> = (call, request) => listShipments(call, request)
