import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { fastify } from 'fastify'
import { pino } from 'pino'
import { expect, inject, onTestFinished } from 'vitest'
import { type CallbackReceiver, createReceiverFromEnvironment } from '#gateway'
import type { ReceiverSettings } from '../../gateway/settings.ts'
import { bodyOf, keys, signed, test } from '../support/world/gatewayTest.ts'

function receiver(
  address = inject('temporal').address,
  log: ReceiverSettings['log'] = pino({ level: 'silent' }),
): CallbackReceiver {
  const { namespace } = inject('temporal')
  const created = createReceiverFromEnvironment({ keys, log, temporal: { address }, namespace })
  onTestFinished(() => created.close())
  return created
}

/** Starts a server of node:http and returns its address. */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function send(address: string, body: string, headers: Record<string, string>): Promise<number> {
  const { status } = await fetch(`${address}/callbacks`, { method: 'POST', headers, body })
  return status
}

test('a receiver in node:http signals verified callbacks, and rejects others', async ({ flow }) => {
  const address = await serve(receiver().handle)
  const body = bodyOf(flow.caseNo)
  expect(await send(address, body, signed(body))).toBe(204)
  expect(await flow.signals()).toMatchObject([{ shipmentUid: 'S1' }])
  expect(await send(address, `${body} `, signed(body))).toBe(401)
})

test('a receiver in Fastify signals verified callbacks', async ({ flow }) => {
  const { handle } = receiver()
  const app = fastify()
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  app.post('/callbacks', (request, reply) => {
    reply.hijack()
    return handle(request.raw, reply.raw)
  })
  onTestFinished(() => app.close())
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  const body = bodyOf(flow.caseNo)
  expect(await send(address, body, signed(body))).toBe(204)
  expect(await flow.signals()).toMatchObject([{ shipmentUid: 'S1' }])
})

test('a receiver whose Temporal is away says when to repeat the callback', async () => {
  const address = await serve(receiver('127.0.0.1:1').handle)
  const body = bodyOf('any-case')
  const { status, headers } = await fetch(`${address}/callbacks`, { method: 'POST', headers: signed(body), body })
  expect(status).toBe(503)
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
})

test('each callback that a receiver rejects has a log line with its shipment', async () => {
  const lines: string[] = []
  const address = await serve(receiver(undefined, pino({}, { write: line => void lines.push(line) })).handle)
  const uids = ['S1', 'S2', 'S3']
  for (const shipmentUid of uids) {
    const body = bodyOf(null, { shipmentUid })
    expect(await send(address, body, signed(body))).toBe(202)
  }
  expect(lines.map(line => JSON.parse(line))).toMatchObject(
    uids.map(shipmentUid => ({ logId: 'callback-rejected', reason: 'no case number', shipmentUid })),
  )
})

test('a body that a parser has read is an error of the server', async ({ flow }) => {
  const { handle } = receiver()
  const address = await serve((request, response) => {
    request.resume().once('end', () => void handle(request, response))
  })
  const body = bodyOf(flow.caseNo)
  expect(await send(address, body, signed(body))).toBe(500)
})

test('a defect is logged, and a sender that breaks off is not', async ({ flow }) => {
  const lines: string[] = []
  const { handle } = receiver(undefined, pino({}, { write: line => void lines.push(line) }))
  const body = bodyOf(flow.caseNo)
  const broken = Promise.withResolvers<void>()
  const address = await serve((request, response) => {
    // A response that has begun takes no further headers.
    if (request.headers['content-length'] !== '9999') response.flushHeaders()
    void handle(request, response).then(broken.resolve)
  })
  const { hostname, port } = new URL(address)
  const head = Object.entries({ host: 'test', 'content-length': '9999', ...signed(body) })
  const socket = connect(Number(port), hostname)
  socket.write(`POST / HTTP/1.1\r\n${head.map(each => each.join(': ')).join('\r\n')}\r\n\r\n{`)
  await once(socket, 'connect')
  socket.end()
  await broken.promise
  expect(lines).toEqual([])

  await send(address, body, signed(body)).catch(() => undefined)
  await expect
    .poll(() => lines.map(line => JSON.parse(line)))
    .toContainEqual(
      expect.objectContaining({
        logId: 'callback-failed',
        err: expect.objectContaining({ code: 'ERR_HTTP_HEADERS_SENT' }),
      }),
    )
})
