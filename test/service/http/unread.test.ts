import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { fastify } from 'fastify'
import { expect, onTestFinished, test, vi } from 'vitest'
import { operations } from '#contract'
import { createUnread } from '../../../service/http/unread.ts'
import type { TestService } from '../../support/service/testService.ts'
import { booking } from '../../support/service/topology.ts'
import { createWorld } from '../../support/world/createWorld.ts'

const waitOptions = { timeout: 20_000, interval: 20 }
/** Six bytes for each of its characters in a response: a page exceeds what the system keeps for a connection. */
const description = '\u0001'.repeat(1_000)

/** Sends a request for a page of shipments, and reads nothing. */
async function requestPage({ port }: TestService, token: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  socket.pause()
  const head = ['content-type: application/json', `authorization: Bearer ${token}`, 'content-length: 17', 'host: a']
  socket.write(`POST ${operations.GetShipments.path} HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n{"pageSize": 500}`)
  return socket
}

async function createWithObjects(service: TestService): Promise<void> {
  const { body } = await service.call('CreateLocalShipmentAsStock', { ...booking, PupUid: 'lastResort' })
  const [shipmentUid] = body.shipmentUids as string[]
  // One after the other: each locks the shipment.
  for (let count = 0; count < 100; count++) {
    const added = await service.call('AddShipmentObject', { shipmentUid, details: { description } })
    expect(added.body).toMatchObject({ success: true })
  }
}

test('a tenant that reads no responses is rejected, others are served, and it is served again when it has read', async () => {
  const world = await createWorld({ service: { maxUnread: 1_000_000 } })
  onTestFinished(() => world.stop())
  const { service } = world
  await Promise.all(Array.from({ length: 9 }, () => createWithObjects(service)))
  const token = await service.token('acme')
  expect((await service.call('GetShipments', { pageSize: 500 })).text.length).toBeGreaterThan(5_000_000)

  // A few exceed what the system keeps for all of them. More would only occupy a slow machine.
  const sockets = await Promise.all(Array.from({ length: 6 }, () => requestPage(service, token)))
  await vi.waitFor(async () => expect((await service.call('GetPickUpPoints', {})).status).toBe(503), waitOptions)
  expect((await service.call('GetPickUpPoints', {}, { client: 'globex' })).status).toBe(200)
  for (const socket of sockets) socket.resume()
  await vi.waitFor(async () => expect((await service.call('GetPickUpPoints', {})).status).toBe(200), waitOptions)
})

test('a response to a connection that its caller has closed is not counted', async () => {
  const unread = createUnread(0)
  const tenant = { tenantId: 'acme' }
  const app = fastify()
  onTestFinished(() => app.close())
  const [arrived, counted] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  app.get('/', async ({ raw: { socket } }, reply) => {
    arrived.resolve()
    await once(socket, 'close')
    unread.count(tenant, reply, 1)
    counted.resolve()
    return 'text'
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n')
  await arrived.promise
  socket.destroy()
  await counted.promise
  expect(unread.isExceeded(tenant)).toBe(false)
})
