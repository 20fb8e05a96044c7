import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { defaultUidSignatureScheme } from '#contract'
import type { OutboxMessage, Tenant } from '../../../service/outbox/claims.ts'
import { createSender } from '../../../service/outbox/sender.ts'

async function sendTo(
  respond: (response: ServerResponse) => void,
  { timeout = 10_000, count = 1, key = {} as Partial<Tenant> } = {},
) {
  const server = createServer((request, response) => request.resume().once('end', () => respond(response)))
  let connections = 0
  server.on('connection', () => connections++)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const sender = createSender({
    secrets: { decrypt: (_column, _rowId, encrypted) => encrypted, refresh: async () => undefined },
    allowPrivateNetworks: true,
    uidSignatureScheme: defaultUidSignatureScheme,
    timeout,
    clock: Date.now,
  })
  onTestFinished(async () => {
    await sender.abort()
    server.closeAllConnections()
    server.close()
  })
  const callback_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/path?query=1`
  const tenant = { callback_url, callback_key: null, callback_key_previous: null, ...key } as Tenant
  const send = () => sender.send(tenant, { message_id: 'msg_1', body: '{}' } as OutboxMessage)
  const outcomes: unknown[] = []
  for (let sent = 0; sent < count; sent++) outcomes.push(await send())
  return { outcomes, connections, server, send }
}

test.each<[string, (response: ServerResponse) => void, object]>([
  ['a response', response => response.writeHead(204).end(), { delivered: true, status: 204 }],
  [
    'a refusal',
    response => response.writeHead(429, { 'retry-after': '7' }).end('later'),
    { delivered: false, reason: '429', retryAfter: 7_000 },
  ],
  [
    'a response behind an interim one',
    response => response.writeEarlyHints({ link: '</a>' }, () => response.end()),
    { status: 200 },
  ],
  [
    'a body that breaks off',
    response => void response.writeHead(200).write('x', () => response.destroy()),
    { status: 200 },
  ],
])('%s', async (_name, respond, expected) => {
  expect((await sendTo(respond)).outcomes).toEqual([expect.objectContaining(expected)])
})

test('a body that never ends counts by its status when the time is over', async () => {
  const { outcomes } = await sendTo(response => void response.writeHead(201).write('x'), { timeout: 2_000 })
  expect(outcomes).toEqual([expect.objectContaining({ status: 201 })])
})

test('a body that is too long closes its connection, and short ones keep theirs', async () => {
  const long = await sendTo(response => response.end('x'.repeat(1_000_000)), { count: 5 })
  expect(long.outcomes).toEqual(Array(5).fill(expect.objectContaining({ status: 200 })))
  expect(long.connections).toBe(5)
  const short = await sendTo(response => response.end('x'.repeat(1_000)), { count: 5 })
  // The connection of a response is free in the next turn.
  expect(short.connections).toBeLessThanOrEqual(2)
})

test('no response in time, and no receiver', async () => {
  const { outcomes, server, send } = await sendTo(() => undefined, { timeout: 2_000 })
  expect(outcomes).toEqual([expect.objectContaining({ delivered: false, reason: 'TimeoutError' })])
  server.closeAllConnections()
  server.close()
  expect(await send()).toMatchObject({ delivered: false, reason: 'ECONNREFUSED' })
})

test('a key that is not a valid header value fails the delivery', async () => {
  const key = { callback_auth_type: 'ApiKey', callback_key: 'a\nb', callback_key_since: null } as const
  const { outcomes } = await sendTo(response => response.writeHead(204).end(), { key })
  expect(outcomes).toEqual([{ delivered: false, reason: 'UND_ERR_INVALID_ARG' }])
})
