import type { Api } from '#api'
import { translated } from './failures.ts'
import type { LookOrder, SeenShipment } from './interface.ts'
import { readShipment, seen } from './shipments.ts'

/** The shipments as they are now, each asked for by its uid: a shipment's case number can change. */
export async function look(api: Api, { shipmentUids }: LookOrder): Promise<SeenShipment[]> {
  return translated(async () => {
    const found = await Promise.all(shipmentUids.map(shipmentUid => readShipment(api, shipmentUid)))
    return found.filter(item => item !== undefined).map(seen)
  })
}
