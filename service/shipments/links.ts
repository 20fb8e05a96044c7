import type { Transaction } from 'kysely'
import { findNoFollowerReason, type LinkedShipment, type NoFollowerReason } from '#contract/machines'
import { activeStates, type Link, links, shipmentTypes } from '#contract/terms'
import type { Call } from '../call.ts'
import { OperationError } from '../operationError.ts'
import { isOneOf, keepQuery } from '../store/statements.ts'
import type { ShipmentColumns, ShipmentRow, Tables } from '../store/tables.ts'

/** The column that stores the prior shipment's uid, by link. */
const linkColumns = {
  swap: 'swaps_shipment_uid',
  subsequent: 'prior_shipment_uid',
  circular: 'circular_prior_shipment_uid',
} as const satisfies Record<Link, keyof ShipmentRow>

/**
 * Returns all active shipments linked with the given one, directly or indirectly, itself included, oldest first.
 * Linked shipments share a locker that no other shipment uses, so these are the active shipments of that locker. Ended
 * shipments are skipped: no event changes them, and an item that is lent repeatedly leaves many.
 */
export async function findLinkedShipments(
  tx: Transaction<Tables>,
  shipment: ShipmentColumns,
): Promise<readonly ShipmentColumns[]> {
  if (shipment.locker_uid === null) return [shipment]
  const { rows } = await tx.executeQuery(findActive(tx, { lockerUid: shipment.locker_uid }))
  return rows
}

const findActive = keepQuery((db, { lockerUid }: { readonly lockerUid: string }) =>
  db
    .selectFrom('shipments')
    .selectAll()
    .where('locker_uid', '=', lockerUid)
    .where(eb => isOneOf(eb, 'state_code', activeStates))
    .orderBy('seq'),
)

/** A row as the machines' rules for linked shipments expect it. */
export function toLinkedShipment(row: ShipmentColumns): LinkedShipment {
  return {
    uid: row.shipment_uid,
    state: row.state_code,
    context: { receiver: row.to_user_uid !== null, keepBooked: row.keep_booked === 1, stock: row.stock === 1 },
    collectOnly: row.shipment_type === shipmentTypes.collectOnly,
    prior: toPriorLink(row),
  }
}

/**
 * Active shipments that may follow one another in a locker. The cancellation of the first one cancels all of them in one transaction,
 * during which the embedded store serves no other tenant.
 */
export const maxChain = 200

const noFollowerReasons: Record<NoFollowerReason, string> = {
  ended: 'it has ended',
  collectOnly: 'it is collect-only',
  feedsStock: 'its item goes to the circular stock',
  followed: 'it has a follower already',
}

/** @throws OperationError InvalidShipmentState if no shipment can follow this one; ChainTooLong */
export async function assertCanBeFollowed({ tx }: Call, prior: ShipmentColumns): Promise<void> {
  const linked = await findLinkedShipments(tx, prior)
  const reason = findNoFollowerReason(linked.map(toLinkedShipment), prior.shipment_uid)
  if (reason !== undefined) {
    throw new OperationError(
      'InvalidShipmentState',
      `The prior shipment (${prior.state_code}) cannot have a follower: ${noFollowerReasons[reason]}.`,
    )
  }
  if (linked.length < maxChain) return
  throw new OperationError(
    'ChainTooLong',
    `The prior shipment must be in a locker with fewer than ${maxChain} active shipments; cancel some, or book another locker.`,
  )
}

function toPriorLink(row: ShipmentColumns): LinkedShipment['prior'] {
  for (const link of links) {
    const uid = row[linkColumns[link]]
    if (uid !== null) return { link, uid }
  }
  return null
}
