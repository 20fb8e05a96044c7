import type { Selectable, Transaction } from 'kysely'
import { activeStates, shipmentTypes } from '#contract/terms'
import { canBeFollowed, type Link, type LinkedShipment } from '#machines'
import { type Call, Refusal } from '../operations/call.ts'
import type { ShipmentRow, Tables } from '../store/tables.ts'

type Shipment = Selectable<ShipmentRow>

/** In which column a shipment names the one that it comes after. */
const linkColumns = {
  swap: 'swaps_shipment_uid',
  subsequent: 'prior_shipment_uid',
  circular: 'circular_prior_shipment_uid',
} as const satisfies Record<Link, keyof ShipmentRow>

const links = Object.keys(linkColumns) as Link[]

/**
 * The active shipments that are linked with the given one over any number of links, itself included, oldest first.
 * Linked shipments share their locker and nobody else is booked on it, so they are the active ones of that locker.
 * Those that have ended are left out: nothing happens to them or because of them any more, and an item that is lent
 * again and again leaves a long row of them.
 */
export async function linkedWith(tx: Transaction<Tables>, shipment: Shipment): Promise<readonly Shipment[]> {
  if (shipment.locker_uid === null) return [shipment]
  return tx
    .selectFrom('shipments')
    .selectAll()
    .where('locker_uid', '=', shipment.locker_uid)
    .where('state_code', 'in', activeStates)
    .orderBy('seq')
    .execute()
}

/** A shipment as the rules of linked shipments see it. */
export function linkedShipment(row: Shipment): LinkedShipment {
  return {
    uid: row.shipment_uid,
    state: row.state_code,
    facts: { receiver: row.to_user_uid !== null, kept: row.kept === 1, stock: row.stock === 1 },
    collectOnly: row.shipment_type === shipmentTypes.collectOnly,
    after: afterOf(row),
  }
}

/**
 * Lets a shipment be followed by another one only when it can be.
 * @throws Refusal InvalidShipmentState
 */
export async function refuseFollowed({ tx }: Call, prior: Shipment): Promise<void> {
  const linked = await linkedWith(tx, prior)
  if (canBeFollowed(linked.map(linkedShipment), prior.shipment_uid)) return
  throw new Refusal(
    'InvalidShipmentState',
    `A shipment in ${prior.state_code} cannot be followed when it has ended, is collect only, or is followed already`,
  )
}

function afterOf(row: Shipment): LinkedShipment['after'] {
  for (const link of links) {
    const uid = row[linkColumns[link]]
    if (uid !== null) return { link, uid }
  }
  return null
}
