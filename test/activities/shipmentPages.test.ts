import { expect, onTestFinished, test } from 'vitest'
import { objectLimits, type ShipmentItem } from '#contract'
import { createApi } from '#contract/client'
import { readShipmentPages } from '../../activities/shipmentPages.ts'
import { pass } from '../../testing/stack/wire.ts'
import { insertObjects } from '../support/service/objects.ts'
import { parcel } from '../support/world/apiWorld.ts'
import { createWorld } from '../support/world/createWorld.ts'

test('shipments with too many objects for one page are read in smaller pages, each once', async () => {
  const world = await createWorld({ api: true })
  onTestFinished(() => world.stop())
  const { api } = world
  const booked: string[] = []
  while (booked.length < 13) {
    const { shipmentUids } = await api.call('CreateLocalShipmentAsStock', { ...parcel, AllowLargerLockers: true })
    booked.push(...shipmentUids)
  }
  const read = async (pageSize: number) => {
    const pages: (readonly ShipmentItem[])[] = []
    for await (const items of readShipmentPages(api, {}, pageSize)) pages.push(items)
    return pages
  }
  expect((await read(100)).map(items => items.length)).toEqual([13])
  for (const uid of booked.slice(2)) await insertObjects({ world, uids: new Map() }, uid, objectLimits.shipment)
  const pages = await read(100)
  expect(pages.map(items => items.length)).toEqual([10, 3])
  expect(pages.flat().map(({ shipmentUid }) => shipmentUid)).toEqual(booked)
  expect(pages.flat().flatMap(({ objects }) => objects)).toHaveLength(11 * objectLimits.shipment)
})

test('a shipment that moves to the next page while the pages are read is returned once', async () => {
  const world = await createWorld({ api: true })
  onTestFinished(() => world.stop())
  const { api } = world
  const create = async () => (await api.call('CreateLocalShipmentAsStock', parcel)).shipmentUids
  const booked = [...(await create()), ...(await create()), ...(await create())]
  const read: string[] = []
  for await (const items of readShipmentPages(api, { sortBy: 'CreatedDesc' }, 2)) {
    read.push(...items.map(({ shipmentUid }) => shipmentUid))
    // A newer shipment moves the others back by one.
    if (read.length === 2) await create()
  }
  expect(read).toEqual(booked.toReversed())
})

test('a service that refuses even a small page is not asked without end', async () => {
  const world = await createWorld({ api: true })
  const wired = createApi(world.apiSettings)
  onTestFinished(() => Promise.all([wired.close(), world.stop()]).then(() => undefined))
  const refusal = { success: false, error: 'PageTooLarge', message: 'no' }
  world.toService.rule = ({ path }) => (path.endsWith('/GetShipments') ? { kind: 'answer', body: refusal } : pass)
  await expect(readShipmentPages(wired, {}, 100).next()).rejects.toMatchObject({ code: 'PageTooLarge' })
})
