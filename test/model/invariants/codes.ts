import { expect } from 'vitest'
import { findPrior, isActive, type StoreState } from './storeState.ts'

/** A valid code opens one booking only, the codes of a swap are equal, and ended shipments have none. */
export function expectCodes(stored: StoreState): void {
  const openers = new Map<string, string[]>()
  for (const shipment of stored.shipments) {
    const { pup_uid, pick_up_code, delivery_code } = shipment
    if (!isActive(shipment)) {
      expect([pick_up_code, delivery_code], 'codes of an ended shipment').toEqual([null, null])
      continue
    }
    const swapped = shipment.swaps_shipment_uid === null ? undefined : findPrior(stored, shipment)
    const isShared = swapped !== undefined && isActive(swapped)
    if (isShared) expect(delivery_code, 'one code for both of a swap').toBe(swapped.pick_up_code)
    for (const code of isShared ? [pick_up_code] : [pick_up_code, delivery_code]) {
      expect(code).toMatch(/^\d{6}$/)
      const place = `${pup_uid} ${code}`
      openers.set(place, [...(openers.get(place) ?? []), shipment.shipment_uid])
    }
  }
  for (const [place, uids] of openers) expect(uids.length, `${place} opens one booking`).toBe(1)
  const taken = stored.codes.map(({ pup_uid, code_hash }) => `${pup_uid} ${code_hash}`).sort()
  const expected = [...openers.keys()].flatMap(place => {
    const [pupUid = '', code = ''] = place.split(' ')
    return stored.hashes(pupUid, code).map(hash => `${pupUid} ${hash}`)
  })
  expect(taken, 'reserved codes').toEqual(expected.sort())
}
