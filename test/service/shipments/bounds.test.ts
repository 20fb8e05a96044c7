import { expect, test } from 'vitest'
import { objectLimits } from '#contract'
import { insertObjects } from '../../support/service/objects.ts'
import { type Site, startSite } from '../../support/service/site.ts'

/** Bytes that the largest page can have. */
const largestPage = 11_000_000

const addObject = (site: Site) => site.run('addObject a', { changePickUpAccess: false, changeDropOffAccess: false })

test('a shipment has room for 100 objects, even for concurrent requests', async () => {
  const site = await startSite()
  await site.run('Issue')
  await insertObjects(site, 'a', objectLimits.shipment - 3)
  const answers = await Promise.all(Array.from({ length: 6 }, () => addObject(site)))
  const errors = answers.map(({ body }) => body.error)
  expect(errors.toSorted()).toEqual(['TooManyObjects', 'TooManyObjects', 'TooManyObjects', null, null, null])
  expect((await site.read('a')).objects).toHaveLength(objectLimits.shipment)
  expect((await site.run('removeObject a')).body.error).toBeNull()
  expect((await addObject(site)).body.error).toBeNull()
})

test('a page with too many objects is refused, and smaller pages have all shipments', async () => {
  const site = await startSite()
  for (let count = 0; count < 11; count++) await site.run('Stock', { PupUid: 'shared' })
  for (const letter of site.uids.keys()) await insertObjects(site, letter, objectLimits.shipment)
  expect(await site.world.call('GetShipments', {})).toMatchObject({ success: false, error: 'PageTooLarge' })
  const listed: string[] = []
  for (const pageNo of [1, 2]) {
    const { items, totalItems } = await site.world.call('GetShipments', { pageNo, pageSize: 10 })
    expect(totalItems).toBe(11)
    expect(items.map(({ objects }) => objects.length)).toEqual(items.map(() => objectLimits.shipment))
    listed.push(...items.map(({ shipmentUid }) => shipmentUid))
  }
  expect(listed).toEqual([...site.uids.values()])
})

test('the largest page of objects stays below its limit of bytes', async () => {
  const site = await startSite()
  await site.run('Stock')
  // JSON writes a control character as six bytes.
  await insertObjects(site, 'a', objectLimits.page, '\u0001'.repeat(1_000))
  const { status, text } = await site.world.service.call('GetShipments', {})
  expect(status).toBe(200)
  expect(Buffer.byteLength(text)).toBeGreaterThan(objectLimits.page * 6_000)
  // The texts of 500 shipments have 1,200 characters each.
  expect(Buffer.byteLength(text) + 500 * 1_200 * 6).toBeLessThan(largestPage)
})

test('a list of more states than there are is refused, whatever its members are', async () => {
  const site = await startSite()
  const shipmentState = Array.from({ length: 125_000 }, () => 1)
  const { status, body } = await site.world.service.call('GetShipments', { shipmentState })
  expect(status).toBe(400)
  expect(body).toMatchObject({
    error: 'InvalidRequest',
    message: expect.stringContaining('shipmentState: must have at most 6 members.'),
  })
})
