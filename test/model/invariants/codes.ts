import { expect } from 'vitest'
import { type Facts, isActive, priorOf } from './facts.ts'

/** Live codes open one booking only; those of a swap are equal; what has ended has none. */
export function expectCodes(facts: Facts): void {
  const openers = new Map<string, string[]>()
  for (const shipment of facts.shipments) {
    const { pup_uid, pick_up_code, delivery_code } = shipment
    if (!isActive(shipment)) {
      expect([pick_up_code, delivery_code], 'codes of what has ended').toEqual([null, null])
      continue
    }
    const swapped = shipment.swaps_shipment_uid === null ? undefined : priorOf(facts, shipment)
    const isShared = swapped !== undefined && isActive(swapped)
    if (isShared) expect(delivery_code, 'one code for both of a swap').toBe(swapped.pick_up_code)
    for (const code of isShared ? [pick_up_code] : [pick_up_code, delivery_code]) {
      expect(code).toMatch(/^\d{6}$/)
      const place = `${pup_uid} ${code}`
      openers.set(place, [...(openers.get(place) ?? []), shipment.shipment_uid])
    }
  }
  for (const [place, uids] of openers) expect(uids.length, `${place} opens one booking`).toBe(1)
  const taken = facts.codes.map(({ pup_uid, code }) => `${pup_uid} ${code}`).sort()
  expect(taken, 'the codes that are taken').toEqual([...openers.keys()].sort())
}
