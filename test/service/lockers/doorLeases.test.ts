import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Hardware, Settings } from '#service'
import { databaseTime } from '../../../service/store/locks.ts'
import { type Site, startSite } from '../../support/service/site.ts'

/** Hardware whose doors open when the test says so. */
function manualHardware() {
  const opened: string[] = []
  const asked = Promise.withResolvers<void>()
  const result = Promise.withResolvers<boolean>()
  const hardware: Hardware = {
    open({ lockerName }) {
      opened.push(lockerName)
      asked.resolve()
      return result.promise
    },
  }
  return { hardware, opened, asked: asked.promise, end: result.resolve }
}

/** A site with the shipment a at a locker whose door is being opened for its drop off. */
async function startOpening(overrides: Partial<Settings> = {}) {
  const doors = manualHardware()
  // No limit of time may end the opening before the test does.
  const site = await startSite({ hardware: doors.hardware, unlockTimeout: 30_000, lockTimeout: 30_000, ...overrides })
  await site.run('Issue')
  const opening = site.run('unlock DropOff a')
  await doors.asked
  return { ...doors, site, opening }
}

describe('while a door is being opened', () => {
  test('a second unlock waits, then finds the new state and opens no door', async () => {
    const { site, opening, opened, end } = await startOpening()
    await site.callbacks()
    const second = site.run('unlock DropOff a')
    await requestsWait(site)
    end(true)
    expect((await opening).body.error).toBeNull()
    expect((await second).body.error).toBe('UnlockNotAllowed')
    expect(opened).toEqual(['S1'])
    expect(await site.callbacks()).toEqual(['a ReadyForPickup'])
  })

  test('a second unlock opens the door after the first one failed', async () => {
    const { site, opening, opened, end } = await startOpening()
    const second = site.run('unlock DropOff a')
    await requestsWait(site)
    end(false)
    expect((await opening).body.error).toBe('UnlockFailed')
    expect((await second).body.error).toBe('UnlockFailed')
    expect(opened).toEqual(['S1', 'S1'])
    expect(await site.read('a')).toMatchObject({ stateCode: 'ReadyForDropOff' })
  })

  test('of many unlocks at once one opens the door and advances the shipment', async () => {
    const { site, opening, opened, end } = await startOpening()
    await site.callbacks()
    const others = Array.from({ length: 20 }, () => site.run('unlock DropOff a'))
    await requestsWait(site)
    end(true)
    const errors = (await Promise.all([opening, ...others])).map(({ body }) => body.error)
    expect(errors.toSorted()).toEqual([...Array(20).fill('UnlockNotAllowed'), null])
    expect(opened).toEqual(['S1'])
    expect(await site.callbacks()).toEqual(['a ReadyForPickup'])
  })

  test('changes of its shipments wait, and see the result', async () => {
    const { site, opening, end } = await startOpening()
    const waiting = [site.run('setDetails a'), site.run('dropOff a')]
    await requestsWait(site)
    end(true)
    const [details, access] = await Promise.all(waiting)
    expect((await opening).body.error).toBeNull()
    expect(details?.body.error).toBeNull()
    // The code of the drop off opens nothing any more.
    expect(access?.body.error).toBe('InvalidAccessCode')
    expect(await site.read('a')).toMatchObject({ stateCode: 'ReadyForPickup', description: 'set' })
  })

  test('other lockers and all reads go on', async () => {
    const { site, opening, end } = await startOpening()
    for (let count = 0; count < 20; count++) {
      expect((await site.run('Stock')).body.error).toBeOneOf([null, 'NoLockerAvailable'])
      expect(await site.read('a')).toMatchObject({ stateCode: 'ReadyForDropOff' })
    }
    expect((await site.run('cancel b')).body.error).toBeNull()
    end(true)
    expect((await opening).body.error).toBeNull()
  })

  test('a request that waited too long is Unavailable, with Retry-After', async () => {
    const { site, opening, end } = await startOpening({ lockTimeout: 100 })
    const { status, headers, body } = await site.run('cancel a')
    expect({ status, error: body.error }).toEqual({ status: 503, error: 'Unavailable' })
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    expect(site.world.service.lines.filter(({ logId }) => logId === 'store-unavailable')).toEqual([])
    end(false)
    expect((await opening).body.error).toBe('UnlockFailed')
    expect((await site.run('cancel a')).body.error).toBeNull()
  })

  test('a wrong code counts, and a right one resets the count', async () => {
    const site = await startSite({ hardware: { open: async () => false } })
    await site.run('Issue')
    const { deliveryCode } = await site.read('a')
    const wrong = () => site.run('unlock DropOff a', { pinCode: 'wrong' })
    for (let count = 0; count < 4; count++) expect((await wrong()).body.error).toBe('InvalidAccessCode')
    expect((await site.run('unlock DropOff a', { pinCode: deliveryCode })).body.error).toBe('UnlockFailed')
    for (let count = 0; count < 5; count++) expect((await wrong()).body.error).toBe('InvalidAccessCode')
    expect((await wrong()).status).toBe(429)
  })
})

describe('the lease of a process that was killed', () => {
  test('ends by itself', async () => {
    const site = await startSite()
    await site.run('Issue')
    await lease(site, 300)
    expect((await site.run('unlock DropOff a')).body.error).toBeNull()
  })

  test('that ends later than a lease can has expired', async () => {
    const site = await startSite({ lockTimeout: 100 })
    await site.run('Issue')
    await lease(site, 600_000)
    expect((await site.run('unlock DropOff a')).body.error).toBeNull()
  })

  test('is not ended by another request', async () => {
    const site = await startSite({ lockTimeout: 100 })
    await site.run('Issue')
    await lease(site, 30_000)
    expect((await site.run('unlock DropOff a')).status).toBe(503)
    const { store } = site.world.service
    const row = store.selectFrom('lockers').select('door_lease_id').where('name', '=', 'S1').executeTakeFirstOrThrow()
    expect(await row).toEqual({ door_lease_id: 'of a killed process' })
  })
})

test('an opening that is recorded after its lease expired advances nothing', async () => {
  const { site, opening, end } = await startOpening()
  await lease(site, 300)
  end(true)
  expect((await opening).body.error).toBe('UnlockFailed')
  expect(await site.read('a')).toMatchObject({ stateCode: 'ReadyForDropOff' })
})

/** Leases the door of S1 for this many milliseconds from the time of the database. */
async function lease({ world: { service } }: Site, milliseconds: number): Promise<void> {
  await service.store
    .updateTable('lockers')
    .set({
      door_lease_id: 'of a killed process',
      door_lease_expires_at: sql<number>`${databaseTime(service.store)} + ${sql.lit(milliseconds)}`,
    })
    .where('name', '=', 'S1')
    .execute()
}

/** Lets the requests that were sent reach the service. Those that arrive later are answered as well. */
async function requestsWait(site: Site): Promise<void> {
  for (let count = 0; count < 3; count++) await site.world.call('GetPickUpPoints', {})
  await delay(100)
}
