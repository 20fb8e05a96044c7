import type { Api } from '#api'
import type { RequestOf, ShipmentItem } from '#contract'
import type { SeenShipment } from './interface.ts'

/** The shipment as flows know it: nothing personal, no codes. */
export function seen({ shipmentUid, stateCode, stateStart, pupUid, lockerName }: ShipmentItem): SeenShipment {
  return { shipmentUid, stateCode, stateStart, pupUid, lockerName }
}

/** One shipment as the service has it now; undefined when it does not know it. */
export async function readShipment(api: Api, shipmentUid: string): Promise<ShipmentItem | undefined> {
  const { items } = await api.call('GetShipments', { shipmentUid, pageSize: 1 })
  return items.find(item => item.shipmentUid === shipmentUid)
}

/** All pages of a search, at most `limit` shipments. */
export async function findShipments(
  api: Api,
  search: RequestOf<'GetShipments'>,
  limit = 1_000,
): Promise<ShipmentItem[]> {
  const found: ShipmentItem[] = []
  for (let pageNo = 1; found.length < limit; pageNo++) {
    const { items, totalPages } = await api.call('GetShipments', { ...search, pageNo, pageSize: 100 })
    found.push(...items)
    if (pageNo >= totalPages || items.length === 0) break
  }
  return found.slice(0, limit)
}
