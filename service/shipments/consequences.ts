import type { Selectable } from 'kysely'
import { type HeldShipment, happen, type ShipmentEvent } from '#machines'
import { type Call, Refusal } from '../operations/call.ts'
import type { ShipmentRow } from '../store/tables.ts'
import { linkedShipment, linkedWith } from './links.ts'

/** What an event makes of one shipment. */
export interface Change {
  readonly before: Selectable<ShipmentRow>
  readonly next: HeldShipment
}

/** What it takes, for events of which the state alone does not say it. */
const conditions: { readonly [Type in ShipmentEvent['type']]?: string } = {
  issueFromStock: 'it has to be active stock without a receiver',
  setReceiver: 'it must have no receiver yet, and its item must not be ready for pick up',
  removeReceiver: 'it must have a receiver, and its item must not be in the locker yet',
}

/**
 * What an event on a shipment makes of it and of those that are linked with it, in the order in which it happens.
 * @throws Refusal InvalidShipmentState
 */
export async function consequences(
  { tx }: Pick<Call, 'tx'>,
  shipment: Selectable<ShipmentRow>,
  event: ShipmentEvent,
): Promise<readonly Change[]> {
  const linked = await linkedWith(tx, shipment)
  const happened = happen(linked.map(linkedShipment), shipment.shipment_uid, event)
  if (!happened.accepted) {
    const condition = conditions[event.type]
    const why = condition === undefined ? '' : `: ${condition}`
    throw new Refusal('InvalidShipmentState', `A shipment in ${shipment.state_code} does not allow this${why}`)
  }
  const rows = new Map(linked.map(row => [row.shipment_uid, row]))
  return happened.changes.flatMap(({ uid, next }) => {
    const before = rows.get(uid)
    return before === undefined ? [] : [{ before, next }]
  })
}
