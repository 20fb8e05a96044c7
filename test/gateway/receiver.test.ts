import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fastify } from 'fastify'
import { pino } from 'pino'
import { expect, inject, onTestFinished } from 'vitest'
import { type CallbackReceiver, createReceiverFromEnvironment } from '#gateway'
import { bodyOf, keys, signed, test } from '../support/world/gatewayTest.ts'

function receiver(address = inject('temporal').address): CallbackReceiver {
  const { namespace } = inject('temporal')
  const log = pino({ level: 'silent' })
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

test('a body that a parser has read is an error of the server', async ({ flow }) => {
  const { handle } = receiver()
  const address = await serve((request, response) => {
    request.resume().once('end', () => void handle(request, response))
  })
  const body = bodyOf(flow.caseNo)
  expect(await send(address, body, signed(body))).toBe(500)
})
