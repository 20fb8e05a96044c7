import type { Selectable } from 'kysely'
import { apply, type HeldShipment, type ShipmentEvent, type ShipmentFacts } from '#machines'
import { Refusal } from '../operations/call.ts'
import type { ShipmentRow } from '../store/tables.ts'

/** What an event makes of one shipment. */
export interface Change {
  readonly before: Selectable<ShipmentRow>
  readonly next: HeldShipment
}

/**
 * What an event on a shipment makes of it and of those that follow from it, in the order in which it happens. Pure.
 * @throws Refusal InvalidShipmentState
 */
export function consequences(shipment: Selectable<ShipmentRow>, event: ShipmentEvent): readonly Change[] {
  const applied = apply({ state: shipment.state_code, facts: factsOf(shipment) }, event)
  if (!applied.accepted) {
    throw new Refusal('InvalidShipmentState', `A shipment in ${shipment.state_code} does not allow this`)
  }
  return [{ before: shipment, next: applied.next }]
}

function factsOf(shipment: Selectable<ShipmentRow>): ShipmentFacts {
  return {
    receiver: shipment.to_user_uid !== null,
    kept: shipment.kept === 1,
    stock: shipment.stock === 1,
    passesOn: false,
  }
}
