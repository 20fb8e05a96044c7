import { once } from 'node:events'
import { Agent, get } from 'node:http'
import { createServer } from 'node:net'
import { text } from 'node:stream/consumers'
import { type FastifyInstance, fastify } from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { listen } from '#platform/http'
import { freePort } from '../../../platform/ports.ts'
import { hasIpv6 } from '../../support/servers/ipv6.ts'

/** A server that answers with its own sentence. */
function createApp(): FastifyInstance {
  const app = fastify().get('/', async () => 'here')
  onTestFinished(() => app.close())
  return app
}

const ask = (host: string, port: number) => fetch(`http://${host}:${port}`).then(response => response.text())

test.skipIf(!hasIpv6).each(['127.0.0.1', 'localhost'])('a listener on %s answers in both families', async host => {
  const port = await listen(createApp(), { host, port: 0 })
  expect(await Promise.all(['127.0.0.1', '[::1]'].map(each => ask(each, port)))).toEqual(['here', 'here'])
})

test('a listener on all addresses of IPv4 answers there alone', async () => {
  const port = await listen(createApp(), { host: '0.0.0.0', port: 0 })
  expect(await ask('127.0.0.1', port)).toBe('here')
  await expect(ask('[::1]', port)).rejects.toThrow('fetch failed')
})

test.skipIf(!hasIpv6)('a stop answers the request in flight over IPv6, and ends its idle connections', async () => {
  const arrived = Promise.withResolvers<void>()
  const released = Promise.withResolvers<string>()
  const app = createApp().get('/slow', () => {
    arrived.resolve()
    return released.promise
  })
  const port = await listen(app, { host: '127.0.0.1', port: 0 })
  const agent = new Agent({ keepAlive: true })
  const [idle] = await once(get({ host: '::1', port, agent }), 'response')
  await once(idle.resume(), 'end')
  const slow = once(get({ host: '::1', port, path: '/slow', agent: false }), 'response').then(([body]) => text(body))
  await arrived.promise
  let isClosed = false
  const closed = app.close().then(() => {
    isClosed = true
  })
  await expect.poll(() => ask('[::1]', port).catch(() => 'refused')).toBe('refused')
  expect(isClosed).toBe(false)
  released.resolve('done')
  expect(await slow).toBe('done')
  await closed
})

test('a listener starts where it cannot listen at ::1', async () => {
  const port = await freePort('127.0.0.1')
  const other = createServer().once('error', () => undefined)
  other.listen(port, '::1')
  onTestFinished(() => void other.close())
  if (hasIpv6) await once(other, 'listening')
  await listen(createApp(), { host: '127.0.0.1', port })
  expect(await ask('127.0.0.1', port)).toBe('here')
})
