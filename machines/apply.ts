import { transition } from 'xstate'
import type { StateCode } from '#contract/terms'
import { type ShipmentEvent, type ShipmentFacts, shipmentMachine } from './shipment.ts'

export interface HeldShipment {
  readonly state: StateCode
  readonly facts: ShipmentFacts
}

export type Applied = { readonly accepted: true; readonly next: HeldShipment } | { readonly accepted: false }

/**
 * What an event makes of a shipment; not accepted when the state or the facts do not allow it. Pure.
 * An illegal event would leave an xstate snapshot silently as it is, hence the question before the step.
 */
export function apply(held: HeldShipment, event: ShipmentEvent): Applied {
  const snapshot = shipmentMachine.resolveState({ value: held.state, context: held.facts })
  if (!snapshot.can(event)) return { accepted: false }
  const [next] = transition(shipmentMachine, snapshot, event)
  return { accepted: true, next: { state: next.value as StateCode, facts: next.context } }
}
