import { expect } from 'vitest'
import type { StateCode } from '#contract/terms'
import type { Receiver } from '../../support/servers/callbackReceiver.ts'
import type { StoreState } from './storeState.ts'

/** The states that can directly follow each state; `nothing` is before the first. */
const next: Readonly<Record<StateCode | 'nothing', readonly StateCode[]>> = {
  nothing: ['WaitForPriorShipment', 'ReadyForDropOff', 'ReadyForPickup'],
  WaitForPriorShipment: ['ReadyForDropOff', 'ReadyForPickup', 'Cancelled'],
  ReadyForDropOff: ['WaitForReceiver', 'ReadyForPickup', 'Completed', 'Cancelled'],
  WaitForReceiver: ['ReadyForPickup', 'Cancelled'],
  ReadyForPickup: ['Completed', 'Cancelled'],
  Completed: [],
  Cancelled: [],
}

/** The callbacks of each shipment form a valid path to its current state, without repetition. */
export function expectPaths({ shipments, byUid }: StoreState, receivers: ReadonlyMap<string, Receiver>): void {
  const reported = new Map<string, string[]>()
  for (const [tenant, { received }] of receivers) {
    for (const { message } of received) {
      expect(byUid.get(message.shipmentUid)?.tenant_id, 'tenant of the callback').toBe(tenant)
      reported.set(message.shipmentUid, [...(reported.get(message.shipmentUid) ?? []), message.stateCode])
    }
  }
  for (const { shipment_uid, state_code } of shipments) {
    const path = reported.get(shipment_uid) ?? []
    expect(path.at(-1), `${path.join(', ')}: the last callback of ${shipment_uid}`).toBe(state_code)
    for (const [index, state] of path.entries()) {
      const before = (path[index - 1] ?? 'nothing') as keyof typeof next
      expect(next[before], `${path.join(', ')}: the callbacks of ${shipment_uid}`).toContain(state)
    }
  }
}
