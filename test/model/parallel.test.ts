import { asyncProperty, noShrink, tuple } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { steps } from './asks/step.ts'
import { delivered, expectInvariants, expectPaths, isActive, readStoreState } from './invariants/index.ts'
import { tenantNames } from './places.ts'
import { read } from './run/compare.ts'
import { Crowd } from './run/crowd.ts'
import { checkProperty } from './run/property.ts'
import { type ModelSite, startModelSite } from './run/site.ts'
import { Tally } from './run/tally.ts'
import { stores } from './stores.ts'

const clients = 8
const longest = 60

describe.each(stores)('on the $name store', store => {
  test('clients at the same time break no invariant', { timeout: 300_000 }, async () => {
    const tally = new Tally()
    const walks = tuple(...Array.from({ length: clients }, () => noShrink(steps(longest))))
    const property = asyncProperty(walks, async todo => {
      const site = await startModelSite(store, store.services)
      try {
        await callBack(site)
        const crowd = new Crowd(site, tally)
        const { services } = site
        await Promise.all(todo.map((own, index) => crowd.walk(own, services[index % services.length] ?? services[0])))
        await expectEnd(site, crowd)
        await cancelAll(site)
      } finally {
        await site.stop()
      }
    })
    // Concurrent requests interleave differently each time, so a failure cannot be shrunk.
    await checkProperty(property, tally, store.crowds, { endOnFailure: true })
  })
})

/** Callbacks of all tenants go to their receivers. */
async function callBack({ services: [service], names }: ModelSite): Promise<void> {
  for (const tenant of tenantNames) {
    const url = names.real(`receiver of ${tenant}`)
    await service.call('ConfigureCallback', { url, authType: 'None' }, { client: tenant })
  }
}

/** The store has exactly the results that the responses reported, and every invariant holds. */
async function expectEnd({ services: [service], receivers }: ModelSite, crowd: Crowd): Promise<void> {
  const stored = await readStoreState(service)
  expectInvariants(stored)
  const uids = stored.shipments.map(({ shipment_uid }) => shipment_uid)
  expect(uids.sort(), 'shipments').toEqual([...crowd.made.shipments].sort())
  const accounts = stored.accounts.length - tenantNames.length
  expect(accounts, 'accounts').toBe(crowd.made.accounts.size - crowd.gone.accounts.size)
  const objects = await service.store.selectFrom('shipment_objects').select('shipment_object_uid').execute()
  const kept = [...crowd.made.objects].filter(uid => !crowd.gone.objects.has(uid))
  expect(objects.map(uid => uid.shipment_object_uid).sort(), 'objects').toEqual(kept.sort())
  expect(new Set(crowd.cancelled).size, 'cancelled once').toBe(crowd.cancelled.length)
  for (const uid of crowd.cancelled) expect(stored.byUid.get(uid)?.state_code).toBe('Cancelled')
  await delivered(service)
  expectPaths(stored, receivers)
}

/** After all shipments are cancelled, every locker is free and no code is reserved. */
async function cancelAll({ services: [service] }: ModelSite): Promise<void> {
  for (const { tenant_id, shipment_uid: shipmentUid } of (await readStoreState(service)).shipments.filter(isActive)) {
    // Some are cancelled together with their prior shipment.
    const { body } = await service.call('CancelShipment', { shipmentUid }, { client: tenant_id })
    expect([null, 'InvalidShipmentState']).toContain(body.error)
  }
  const { booked, codes, shipments } = await readStoreState(service)
  expect({ booked, codes, active: shipments.filter(isActive) }).toEqual({ booked: [], codes: [], active: [] })
  for (const client of tenantNames) {
    const { items } = await read(service, 'GetPickUpPoints', { includeDetails: true }, client)
    const sizes = (items as { lockers: { free: number; total: number }[] }[]).flatMap(({ lockers }) => lockers)
    for (const { free, total } of sizes) expect(free).toBe(total)
  }
}
