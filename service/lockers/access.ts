import type { StateCode } from '#contract/terms'
import type { ShipmentEvent } from '#machines'

/** What a code does at the locker: it is the shipment's state that tells a drop off from a pick up. */
export const accesses = {
  DropOff: { state: 'ReadyForDropOff', code: 'delivery_code', event: { type: 'dropOff' } },
  PickUp: { state: 'ReadyForPickup', code: 'pick_up_code', event: { type: 'pickUp' } },
} as const satisfies Record<string, Access>

export interface Access {
  readonly state: StateCode
  readonly code: 'delivery_code' | 'pick_up_code'
  readonly event: ShipmentEvent
}

/** The access that a shipment in this state is ready for; undefined when it is ready for none. */
export function accessIn(state: StateCode): Access | undefined {
  return Object.values(accesses).find(access => access.state === state)
}
