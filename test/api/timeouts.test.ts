import { once } from 'node:events'
import { describe, expect } from 'vitest'
import { held, json, silence, success } from './farSide.ts'
import { faultOf, page, stockRequest, test } from './fixture.ts'

const short = { read: 60, change: 60 }
const created = json(200, { ...success, shipmentUids: ['S1'] })

describe('how long a call waits', () => {
  test('a read and a change are cut off, a create of the same moment is not', async ({ farSide, connect }) => {
    const create = held(created)
    farSide.operation = (...request) => (request[1].path.endsWith('AsStock') ? create.reply : silence)(...request)
    const api = connect({ timeouts: short, readRetries: 0 })
    const booking = api.call('CreateLocalShipmentAsStock', stockRequest)
    await create.arrived
    const cutOff = { code: 'NoAnswer', retryable: true, maybeDone: true, status: undefined }
    expect(await faultOf(api.call('GetShipments', {}))).toMatchObject(cutOff)
    expect(await faultOf(api.call('CancelShipment', { shipmentUid: 'S1' }))).toMatchObject(cutOff)
    create.release()
    expect(await booking).toEqual({ shipmentUids: ['S1'] })
  })

  test('a cut-off read closes its connection', async ({ farSide, connect }) => {
    const closed = Promise.withResolvers<void>()
    farSide.operation = response => void once(response, 'close').then(() => closed.resolve())
    await faultOf(connect({ timeouts: short, readRetries: 0 }).call('GetShipments', {}))
    await closed.promise
  })

  test('a slow body is cut off like slow headers', async ({ farSide, connect }) => {
    farSide.operation = response => response.writeHead(200).write('{')
    const api = connect({ timeouts: short, readRetries: 0 })
    expect(await faultOf(api.call('GetShipments', {}))).toMatchObject({ code: 'NoAnswer', maybeDone: true })
  })

  test('a peer that never answers a create is given up in the end', async ({ farSide, connect }) => {
    farSide.operation = silence
    const fault = await faultOf(connect({ timeouts: { create: 80 } }).call('CreateLocalShipmentAsStock', stockRequest))
    expect(fault).toMatchObject({ code: 'NoAnswer', retryable: true, maybeDone: true })
    expect(farSide.at('AsStock')).toHaveLength(1)
  })

  test('what never left for want of a connection was surely not done', async ({ farSide, connect }) => {
    const create = held(created)
    farSide.operation = create.reply
    const api = connect({ timeouts: short, connections: 1 })
    const booking = api.call('CreateLocalShipmentAsStock', stockRequest)
    await create.arrived
    const fault = await faultOf(api.call('CancelShipment', { shipmentUid: 'S1' }))
    expect(fault).toMatchObject({ code: 'ServiceUnreachable', retryable: true, maybeDone: false })
    create.release()
    await booking
    // The one connection takes requests in order: what was given up would have come before this one.
    await api.call('CreateLocalShipmentAsStock', stockRequest)
    expect(farSide.at('CancelShipment')).toHaveLength(0)
  })
})

describe("the caller's signal", () => {
  test('gives up a read and a change at once', async ({ farSide, api }) => {
    for (const call of [
      (signal: AbortSignal) => api.call('GetShipments', {}, { signal }),
      (signal: AbortSignal) => api.call('CancelShipment', { shipmentUid: 'S1' }, { signal }),
    ]) {
      const waiting = held(silence)
      farSide.operation = waiting.reply
      const controller = new AbortController()
      const ending = faultOf(call(controller.signal))
      await waiting.arrived
      controller.abort()
      expect(await ending).toMatchObject({ code: 'CallAborted', maybeDone: true })
    }
    expect(farSide.at('GetShipments')).toHaveLength(1)
  })

  test('given before the call sends nothing', async ({ farSide, api }) => {
    const ending = faultOf(api.call('GetShipments', {}, { signal: AbortSignal.abort() }))
    expect(await ending).toMatchObject({ code: 'CallAborted', maybeDone: false })
    expect(farSide.at('GetShipments')).toHaveLength(0)
  })

  test('does not touch a create', async ({ farSide, api }) => {
    const create = held(created)
    farSide.operation = create.reply
    const controller = new AbortController()
    const booking = api.call('CreateLocalShipmentAsStock', stockRequest, { signal: controller.signal })
    await create.arrived
    controller.abort()
    create.release()
    expect(await booking).toEqual({ shipmentUids: ['S1'] })
  })

  test('does not take the shared token from the others', async ({ farSide, api }) => {
    const token = held(farSide.token)
    farSide.token = token.reply
    farSide.operation = json(200, { ...success, ...page })
    const controller = new AbortController()
    const given = faultOf(api.call('GetShipments', {}, { signal: controller.signal }))
    const other = api.call('GetShipments', {})
    await token.arrived
    controller.abort()
    expect(await given).toMatchObject({ code: 'CallAborted', maybeDone: false })
    token.release()
    expect(await other).toEqual(page)
    expect(farSide.at('/connect/token')).toHaveLength(1)
  })
})

test('closing waits for the calls in flight', async ({ farSide, api }) => {
  const create = held(created)
  farSide.operation = create.reply
  const booking = api.call('CreateLocalShipmentAsStock', stockRequest)
  await create.arrived
  const closing = api.close()
  expect(await faultOf(api.call('CancelShipment', { shipmentUid: 'S1' }))).toMatchObject({ maybeDone: false })
  create.release()
  expect(await booking).toEqual({ shipmentUids: ['S1'] })
  await closing
})
