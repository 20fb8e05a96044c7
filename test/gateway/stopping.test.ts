import { expect, inject } from 'vitest'
import { held, json, noResponse } from '../support/servers/apiStandIn.ts'
import { startRelay } from '../support/servers/relay.ts'
import { measureSlowness } from '../support/slowness.ts'
import { bodyOf, post, signed, test } from '../support/world/gatewayTest.ts'

test('a callback in flight is signalled and answered before the gateway stops', async ({ open, flow }) => {
  const relay = await startRelay(inject('temporal').address)
  const gateway = await open({ temporal: { address: relay.address } })
  await gateway.ready
  const { stuck } = relay.hold(flow.caseNo)
  const answer = post(gateway, bodyOf(flow.caseNo))
  await stuck
  const stopped = gateway.stop()
  await expect(fetch(`${gateway.address}/health/live`)).rejects.toThrow()
  relay.release()
  const { status, headers } = await answer
  expect(status).toBe(204)
  expect(headers.get('connection')).toBe('close')
  await stopped
  expect(await flow.signals()).toHaveLength(1)
  await relay.cut()
})

test.for([
  ['the service', 'operation'],
  ['a token', 'token'],
] as const)('a gateway that waits for %s stops immediately', async ([, call], { open, service, expect }) => {
  const told = held(noResponse)
  service[call] = told.reply
  const gateway = await open()
  await told.arrived
  const slowness = measureSlowness()
  const began = performance.now()
  await gateway.stop()
  expect((performance.now() - began) / slowness()).toBeLessThan(3_000)
})

test('a client that never ends its request does not delay the stop', async ({ gateway }) => {
  const endless = new ReadableStream<Uint8Array>({ start: controller => controller.enqueue(new Uint8Array(10)) })
  const request = fetch(`${gateway.address}/callbacks`, {
    method: 'POST',
    body: endless,
    headers: signed(''),
    duplex: 'half',
  } as RequestInit)
  request.catch(() => {})
  await expect.poll(async () => (await fetch(`${gateway.address}/health/live`)).status).toBe(200)
  const slowness = measureSlowness()
  const began = performance.now()
  await gateway.stop()
  expect((performance.now() - began) / slowness()).toBeLessThan(10_000)
  await expect(request).rejects.toThrow()
})

test('stopping twice has the effect of once', async ({ gateway }) => {
  await Promise.all([gateway.stop(), gateway.stop()])
})

test('a start that fails does not log that Temporal is unavailable, whose connection it closes', async ({
  gateway,
  open,
  lines,
}) => {
  const relay = await startRelay(inject('temporal').address)
  const { stuck } = relay.hold('PRI * HTTP/2.0')
  const started = open({ port: gateway.port, temporal: { address: relay.address } })
  await expect(started).rejects.toThrow('EADDRINUSE')
  await stuck
  await relay.cut()
  expect(lines.filter(line => line.includes('temporal-unavailable'))).toEqual([])
})

test('a port in use is reported at the start', async ({ gateway, open, service }) => {
  service.operation = json(500, {})
  await expect(open({ port: gateway.port })).rejects.toThrow('EADDRINUSE')
})
