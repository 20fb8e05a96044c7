import type { RequestOf, ShipmentItem } from '#contract'
import type { Api } from '#contract/client'
import { withApplicationFailures } from './failures.ts'
import type { ReadShipmentsInput, ShipmentSnapshot } from './interface.ts'
import { readShipmentPages } from './shipmentPages.ts'

/** Reads each shipment by its uid: a shipment's case number can change. */
export async function readShipments(api: Api, { shipmentUids }: ReadShipmentsInput): Promise<ShipmentSnapshot[]> {
  return withApplicationFailures(async () => {
    const items = await Promise.all(shipmentUids.map(shipmentUid => readShipment(api, shipmentUid)))
    return items.filter(item => item !== undefined).map(toSnapshot)
  })
}

/** Undefined for a shipment that the service does not know. */
export async function readShipment(api: Api, shipmentUid: string): Promise<ShipmentItem | undefined> {
  const { items } = await api.call('GetShipments', { shipmentUid, pageSize: 1 })
  return items.find(item => item.shipmentUid === shipmentUid)
}

/** Shipments of one search. The case of a flow has a few. */
const maxFound = 1_000

/** Reads all pages of a search, up to a limit. */
export async function findShipments(api: Api, search: RequestOf<'GetShipments'>): Promise<ShipmentItem[]> {
  const found: ShipmentItem[] = []
  for await (const items of readShipmentPages(api, search, 100)) {
    found.push(...items)
    if (found.length >= maxFound) break
  }
  return found.slice(0, maxFound)
}

/** The fields that flows need: no personal data, no access codes. */
export function toSnapshot(item: ShipmentItem): ShipmentSnapshot {
  const { shipmentUid, stateCode, stateStart, pupUid, lockerName, outOfService } = item
  // Without the reason: it is a text of the service, and may name people.
  return { shipmentUid, stateCode, stateStart, pupUid, lockerName, ...(outOfService && { lockerOutOfService: true }) }
}
