import type { StateCode } from '#contract/terms'
import type { ShipmentEvent } from '#machines'

/** The effect of a code at the locker. The shipment's state tells a drop off from a pick up. */
export const accesses = {
  DropOff: { state: 'ReadyForDropOff', code: 'delivery_code', event: { type: 'dropOff' } },
  PickUp: { state: 'ReadyForPickup', code: 'pick_up_code', event: { type: 'pickUp' } },
} as const satisfies Record<string, Access>

export interface Access {
  readonly state: StateCode
  readonly code: 'delivery_code' | 'pick_up_code'
  readonly event: ShipmentEvent
}

/** The access that a state allows, or undefined. */
export function findAccess(state: StateCode): Access | undefined {
  return Object.values(accesses).find(access => access.state === state)
}
