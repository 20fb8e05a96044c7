import { randomUUID } from 'node:crypto'
import type { Selectable, Transaction } from 'kysely'
import { objectLimits, type ReadRequestOf, type ShipmentItem } from '#contract'
import type { Call } from '../call.ts'
import { OperationError } from '../operationError.ts'
import type { Store } from '../store/index.ts'
import { keepRowsQuery } from '../store/statements.ts'
import type { ShipmentObjectRow, Tables } from '../store/tables.ts'
import type { Shipment } from './load.ts'

type Details = ReadRequestOf<'AddShipmentObject'>['details']
type ItemObject = ShipmentItem['objects'][number]

/** Shipments of a list whose query is kept for each number of them. Flows have at most three. */
const maxKept = 5

/**
 * @returns the uid of the new item
 * @throws OperationError TooManyObjects
 */
export async function addObject(call: Call, shipment: Shipment, details: Details): Promise<string> {
  const { dimension } = details
  await assertRoomForObject(call, shipment)
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

async function assertRoomForObject({ tx }: Call, { shipment_uid }: Shipment): Promise<void> {
  const { count } = await tx
    .selectFrom('shipment_objects')
    .select(eb => eb.fn.countAll().as('count'))
    .where('shipment_uid', '=', shipment_uid)
    .executeTakeFirstOrThrow()
  if (Number(count) < objectLimits.shipment) return
  throw new OperationError(
    'TooManyObjects',
    `shipmentUid must be a shipment with fewer than ${objectLimits.shipment} objects; remove one first.`,
  )
}

/** @throws OperationError InvalidShipmentObject, with the same message for unknown items and those of other shipments */
export async function assertOwnObject({ tx }: Call, shipment: Shipment, objectUid: string): Promise<void> {
  const found = await tx
    .selectFrom('shipment_objects')
    .select('seq')
    .where('shipment_object_uid', '=', objectUid)
    .where('shipment_uid', '=', shipment.shipment_uid)
    .executeTakeFirst()
  if (found !== undefined) return
  throw new OperationError('InvalidShipmentObject', 'shipmentObjectUid must be the uid of an object of the shipment.')
}

export async function removeObject({ tx }: Call, objectUid: string): Promise<void> {
  await tx.deleteFrom('shipment_objects').where('shipment_object_uid', '=', objectUid).execute()
}

/**
 * Items by shipment uid, in the order in which they were attached.
 * @throws OperationError PageTooLarge
 */
export async function findObjects(
  tx: Transaction<Tables>,
  shipmentUids: readonly string[],
): Promise<ReadonlyMap<string, readonly ItemObject[]>> {
  if (shipmentUids.length === 0) return new Map()
  const query =
    shipmentUids.length > maxKept
      ? selectObjects(tx, shipmentUids).compile()
      : findOfFew(
          tx,
          shipmentUids.map(shipmentUid => ({ shipmentUid })),
        )
  const { rows } = await tx.executeQuery(query)
  if (rows.length > objectLimits.page) {
    const objects = objectLimits.page.toLocaleString('en')
    throw new OperationError(
      'PageTooLarge',
      `pageSize must be smaller: the shipments of this page have more than ${objects} objects.`,
    )
  }
  return new Map([...Map.groupBy(rows, row => row.shipment_uid)].map(([uid, group]) => [uid, group.map(toItemObject)]))
}

function selectObjects(db: Store, shipmentUids: readonly string[]) {
  return db
    .selectFrom('shipment_objects')
    .selectAll()
    .where('shipment_uid', 'in', shipmentUids)
    .orderBy('shipment_uid')
    .orderBy('seq')
    .limit(objectLimits.page + 1)
}

const findOfFew = keepRowsQuery((db, rows: readonly { readonly shipmentUid: string }[]) =>
  selectObjects(
    db,
    rows.map(({ shipmentUid }) => shipmentUid),
  ),
)

function toItemObject(row: Selectable<ShipmentObjectRow>): ItemObject {
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
