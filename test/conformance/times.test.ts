import { expect, onTestFinished, test } from 'vitest'
import { startReceiver } from '../support/servers/callbackReceiver.ts'
import { booking } from '../support/service/topology.ts'
import { csv, upload } from '../support/service/uploads.ts'
import { createWorld } from '../support/world/createWorld.ts'

test('stateStart is ISO 8601 without a zone, in the listing and in the callback (SPEC-8)', async () => {
  const world = await createWorld()
  const receiver = await startReceiver()
  onTestFinished(async () => {
    await world.stop()
    await receiver.stop()
  })
  await world.call('ConfigureCallback', { url: receiver.url, authType: 'None' })
  const { shipmentUids } = await world.call('CreateLocalShipmentAsStock', booking)
  const [callback] = await receiver.until(1, shipmentUids[0] ?? '')
  const { items } = await world.call('GetShipments', {})
  const withoutOffset = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?$/
  expect(items[0]?.stateStart).toMatch(withoutOffset)
  expect(callback?.message.stateStart).toMatch(withoutOffset)
})

test('dateTime of an upload is ISO 8601 in UTC (SPEC-83)', async () => {
  const world = await createWorld()
  onTestFinished(() => world.stop())
  const { result } = await upload(world.service, 'some.csv', csv([{ EmailAddress: 'ada@home.example' }]))
  expect(result.dateTime).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/)
  expect(Math.abs(Date.parse(result.dateTime) - Date.now())).toBeLessThan(60_000)
})
