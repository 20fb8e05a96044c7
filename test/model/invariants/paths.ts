import { expect } from 'vitest'
import type { StateCode } from '#contract/terms'
import type { Receiver } from '../../service/receiver.ts'
import type { Facts } from './facts.ts'

/** Which state can come right after which; null is before the first. */
const next: Readonly<Record<StateCode | 'nothing', readonly StateCode[]>> = {
  nothing: ['WaitForPriorShipment', 'ReadyForDropOff', 'ReadyForPickup'],
  WaitForPriorShipment: ['ReadyForDropOff', 'ReadyForPickup', 'Cancelled'],
  ReadyForDropOff: ['WaitForReceiver', 'ReadyForPickup', 'Completed', 'Cancelled'],
  WaitForReceiver: ['ReadyForPickup', 'Cancelled'],
  ReadyForPickup: ['Completed', 'Cancelled'],
  Completed: [],
  Cancelled: [],
}

/** The states that were called back are a way to the present one that a shipment can go, each told once. */
export function expectPaths({ shipments, byUid }: Facts, receivers: ReadonlyMap<string, Receiver>): void {
  const told = new Map<string, string[]>()
  for (const [tenant, { received }] of receivers) {
    for (const { message } of received) {
      expect(byUid.get(message.shipmentUid)?.tenant_id, 'whose callback it is').toBe(tenant)
      told.set(message.shipmentUid, [...(told.get(message.shipmentUid) ?? []), message.stateCode])
    }
  }
  for (const { shipment_uid, state_code } of shipments) {
    const path = told.get(shipment_uid) ?? []
    expect(path.at(-1), `${path.join(', ')}: the last callback of ${shipment_uid}`).toBe(state_code)
    for (const [index, state] of path.entries()) {
      const before = (path[index - 1] ?? 'nothing') as keyof typeof next
      expect(next[before], `${path.join(', ')}: the callbacks of ${shipment_uid}`).toContain(state)
    }
  }
}
