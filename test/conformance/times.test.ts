import { expect, onTestFinished, test } from 'vitest'
import { booking } from '../service/places.ts'
import { startReceiver } from '../service/receiver.ts'
import { csv, upload } from '../service/uploads.ts'
import { startWorld } from '../service/world.ts'

test('stateStart is ISO 8601 without a zone, in the listing and in the callback', async () => {
  const world = await startWorld()
  const receiver = await startReceiver()
  onTestFinished(async () => {
    await world.stop()
    await receiver.stop()
  })
  await world.call('ConfigureCallback', { url: receiver.url, authType: 'None' })
  const { shipmentUids } = await world.call('CreateLocalShipmentAsStock', booking)
  const [callback] = await receiver.until(1, shipmentUids[0] ?? '')
  const { items } = await world.call('GetShipments', {})
  const zoneless = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?$/
  expect(items[0]?.stateStart).toMatch(zoneless)
  expect(callback?.message.stateStart).toMatch(zoneless)
})

test('dateTime of an upload is ISO 8601 in UTC', async () => {
  const world = await startWorld()
  onTestFinished(() => world.stop())
  const { result } = await upload(world.service, 'some.csv', csv([{ EmailAddress: 'ada@home.example' }]))
  expect(result.dateTime).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/)
  expect(Math.abs(Date.parse(result.dateTime) - Date.now())).toBeLessThan(60_000)
})
