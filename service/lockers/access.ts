import type { StateCode } from '#contract/terms'
import type { ShipmentEvent } from '#machines'
import type { AccessCodes } from './accessCodes.ts'

/** The effect of a code at the locker. The shipment's state tells a drop off from a pick up. */
export const accesses = {
  DropOff: { state: 'ReadyForDropOff', code: 'deliveryCode', event: { type: 'dropOff' } },
  PickUp: { state: 'ReadyForPickup', code: 'pickUpCode', event: { type: 'pickUp' } },
} as const satisfies Record<string, Access>

export interface Access {
  readonly state: StateCode
  readonly code: keyof AccessCodes
  readonly event: ShipmentEvent
}

/** The access that a state allows, or undefined. */
export function findAccess(state: StateCode): Access | undefined {
  return Object.values(accesses).find(access => access.state === state)
}
