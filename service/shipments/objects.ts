import { randomUUID } from 'node:crypto'
import type { Selectable, Transaction } from 'kysely'
import type { ReadRequestOf, ShipmentItem } from '#contract'
import { type Call, Refusal } from '../operations/call.ts'
import type { ShipmentObjectRow, Tables } from '../store/tables.ts'
import type { Shipment } from './make.ts'

type Details = ReadRequestOf<'AddShipmentObject'>['details']
type ShownObject = ShipmentItem['objects'][number]

/** Attaches an item to a shipment and tells its uid. */
export async function addObject(call: Call, shipment: Shipment, details: Details): Promise<string> {
  const { dimension } = details
  const shipment_object_uid = randomUUID()
  await call.tx
    .insertInto('shipment_objects')
    .values({
      shipment_object_uid,
      shipment_uid: shipment.shipment_uid,
      reference_no: details.referenceNo ?? null,
      description: details.description ?? null,
      weight: details.weight ?? null,
      count: details.count ?? null,
      width: dimension?.width ?? null,
      height: dimension?.height ?? null,
      length: dimension?.length ?? null,
    })
    .execute()
  return shipment_object_uid
}

/**
 * Lets only an item of that very shipment through.
 * @throws Refusal InvalidShipmentObject, in the same words for an unknown one and for that of another shipment
 */
export async function refuseStrangeObject({ tx }: Call, shipment: Shipment, objectUid: string): Promise<void> {
  const found = await tx
    .selectFrom('shipment_objects')
    .select('seq')
    .where('shipment_object_uid', '=', objectUid)
    .where('shipment_uid', '=', shipment.shipment_uid)
    .executeTakeFirst()
  if (found !== undefined) return
  throw new Refusal('InvalidShipmentObject', 'shipmentObjectUid has to be the uid of an object of the shipment')
}

/** Takes an item off its shipment. */
export async function removeObject({ tx }: Call, objectUid: string): Promise<void> {
  await tx.deleteFrom('shipment_objects').where('shipment_object_uid', '=', objectUid).execute()
}

/** The items of shipments, by the uid of the shipment, each in the order in which it was attached. */
export async function objectsOf(
  tx: Transaction<Tables>,
  shipmentUids: readonly string[],
): Promise<ReadonlyMap<string, readonly ShownObject[]>> {
  if (shipmentUids.length === 0) return new Map()
  const rows = await tx
    .selectFrom('shipment_objects')
    .selectAll()
    .where('shipment_uid', 'in', shipmentUids)
    .orderBy('seq')
    .execute()
  return new Map([...Map.groupBy(rows, row => row.shipment_uid)].map(([uid, of]) => [uid, of.map(shown)]))
}

function shown(row: Selectable<ShipmentObjectRow>): ShownObject {
  const { width, height, length } = row
  return {
    shipmentObjectUid: row.shipment_object_uid,
    referenceNo: row.reference_no,
    description: row.description,
    weight: row.weight,
    count: row.count,
    dimension: width === null || height === null || length === null ? null : { width, height, length },
  }
}
