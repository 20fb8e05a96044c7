import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { failed, operations, tokenPath } from '#contract'
import { startTestService, type TestService } from '../../support/service/testService.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

/** `fetch` sends a Host and no Expect. */
async function send(path: string, headers: readonly string[], { version = '1.1', requestId = 'id-1' } = {}) {
  const socket = connect(service.port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  const bearer = `Authorization: Bearer ${await service.token()}`
  const lines = [`POST ${path} HTTP/${version}`, 'Connection: close', bearer, 'Content-Type: application/json']
  socket.write([...lines, 'Content-Length: 2', `X-Request-Id: ${requestId}`, ...headers, '', '{}'].join('\r\n'))
  return (await text(socket)).split('\r\n\r\n')
}

const sendExpecting = (path: string, expectation: string) => send(path, ['Host: test', `Expect: ${expectation}`])

test.each([operations.GetShipments.path, tokenPath, '/health/live', '/nowhere'])(
  '%s: an unknown expectation is 417, with the envelope and the request id',
  async path => {
    const [head = '', body = ''] = await sendExpecting(path, 'the-unexpected')
    expect(head).toContain('HTTP/1.1 417 ')
    expect(head.toLowerCase()).toContain('\r\nx-request-id: id-1')
    expect(JSON.parse(body)).toEqual(failed('InvalidRequest', 'The header Expect must be 100-continue or absent.'))
    expect(service.lines).toContainEqual(expect.objectContaining({ requestId: 'id-1', status: 417 }))
  },
)

test.each(['100-continue', '100-Continue'])('%s is answered, and then the request', async expectation => {
  const [first = '', head = '', body = ''] = await sendExpecting(operations.GetShipments.path, expectation)
  expect(first).toContain('HTTP/1.1 100 ')
  expect(head).toContain('HTTP/1.1 200 ')
  expect(JSON.parse(body)).toMatchObject({ success: true })
})

test.each([operations.GetShipments.path, tokenPath, '/health/live', '/nowhere'])(
  '%s: a request of HTTP/1.1 without Host is 400, with the envelope and the request id',
  async path => {
    const [head = '', body = ''] = await send(path, [], { requestId: 'id-2' })
    expect(head).toContain('HTTP/1.1 400 ')
    expect(head.toLowerCase()).toContain('\r\nx-request-id: id-2')
    expect(JSON.parse(body)).toEqual(failed('InvalidRequest', 'The header Host is missing.'))
    expect(service.lines).toContainEqual(expect.objectContaining({ requestId: 'id-2', status: 400 }))
  },
)

test.each(['1.0', '1.1'])('a request of HTTP/%s with two Hosts is 400, even if they are equal', async version => {
  const [head = '', body = ''] = await send(operations.GetShipments.path, ['Host: test', 'host: test'], { version })
  expect(head).toContain(' 400 ')
  expect(JSON.parse(body)).toEqual(failed('InvalidRequest', 'The header Host must not be repeated.'))
})

test.each(['Authorization: Bearer x', 'content-type: text/plain', 'Idempotency-Key: other'])(
  'a request with %s and another value of that header is 400',
  async repeated => {
    const [head = '', body = ''] = await send(operations.GetShipments.path, [
      'Host: test',
      'Idempotency-Key: key',
      repeated,
    ])
    expect(head).toContain(' 400 ')
    expect(JSON.parse(body).message).toMatch(
      /^The header (Authorization|Content-Type|Idempotency-Key) must not be repeated\.$/,
    )
  },
)

test('a caller that closes the connection during its body is not an outage of the store', async () => {
  const socket = connect(service.port, '127.0.0.1')
  const lines = [`POST ${tokenPath} HTTP/1.1`, 'Host: test', 'Content-Type: application/x-www-form-urlencoded']
  const more = ['Content-Length: 100', 'X-Request-Id: id-aborted', 'Expect: 100-continue', '', 'grant']
  socket.write([...lines, ...more].join('\r\n'))
  // The service has the headers.
  await once(socket, 'data')
  socket.destroy()
  await send(operations.GetShipments.path, ['Host: test'], { requestId: 'id-later' })
  await expect.poll(() => service.lines).toContainEqual(expect.objectContaining({ requestId: 'id-later' }))
  expect(service.lines.filter(({ logId }) => logId === 'store-unavailable')).toEqual([])
})

test('a request of HTTP/1.0 needs no Host', async () => {
  const [head = '', body = ''] = await send(operations.GetShipments.path, [], { version: '1.0' })
  expect(head).toContain(' 200 ')
  expect(JSON.parse(body)).toMatchObject({ success: true })
})

test('headers that are too large are 431, and the response names the limit', async () => {
  const [head = '', body = ''] = await send(operations.GetShipments.path, [
    'Host: test',
    `X-Long: ${'x'.repeat(20_000)}`,
  ])
  expect(head).toContain('HTTP/1.1 431 ')
  const message = 'The path, its query and the headers must have at most 16384 bytes together.'
  expect(JSON.parse(body)).toEqual(failed('InvalidRequest', message))
  await expect.poll(() => service.lines).toContainEqual(expect.objectContaining({ status: 431 }))
})

test.each([operations.GetShipments.path, tokenPath, '/health/live'])(
  '%s: a transfer coding besides chunked is 501, and the body is not read as one without it',
  async path => {
    const socket = connect(service.port, '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    const bearer = `Authorization: Bearer ${await service.token()}`
    const lines = [`POST ${path} HTTP/1.1`, 'Host: test', 'Connection: close', bearer, 'Content-Type: application/json']
    socket.write([...lines, 'Transfer-Encoding: gzip, chunked', '', '2', '{}', '0', '', ''].join('\r\n'))
    const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n')
    expect(head).toContain('HTTP/1.1 501 ')
    const message = 'The header Transfer-Encoding must be chunked or absent.'
    expect(JSON.parse(body)).toEqual(failed('InvalidRequest', message))
  },
)

test.each(['close', 'keep-alive'])(
  'CONNECT is 501, and the connection ends, although it is to %s',
  async connection => {
    const socket = connect(service.port, '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    socket.write(['CONNECT host:443 HTTP/1.1', 'Host: host:443', `Connection: ${connection}`, '', ''].join('\r\n'))
    const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n')
    expect(head).toContain('HTTP/1.1 501 ')
    expect(JSON.parse(body)).toEqual(failed('InvalidRequest', 'The method must not be CONNECT: this is not a proxy.'))
    const requestId = /^x-request-id: (.*)$/im.exec(head)?.[1]
    expect(service.lines).toContainEqual(
      expect.objectContaining({ requestId, status: 501, errorCode: 'InvalidRequest' }),
    )
  },
)

test('a caller of CONNECT that breaks the connection off at once ends nothing else', async () => {
  for (let caller = 0; caller < 20; caller++) {
    const socket = connect(service.port, '127.0.0.1')
    await once(socket, 'connect')
    socket.write('CONNECT host:443 HTTP/1.1\r\nHost: host:443\r\n\r\n')
    socket.resetAndDestroy()
  }
  const [head = ''] = await send(operations.GetShipments.path, ['Host: test'])
  expect(head).toContain('HTTP/1.1 200 ')
})

test('a body in chunks is read, in any spelling of the coding', async () => {
  const socket = connect(service.port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  const bearer = `Authorization: Bearer ${await service.token()}`
  const lines = [`POST ${operations.GetShipments.path} HTTP/1.1`, 'Host: test', 'Connection: close', bearer]
  const more = ['Content-Type: application/json', 'Transfer-Encoding: Chunked', '', '2', '{}', '0', '', '']
  socket.write([...lines, ...more].join('\r\n'))
  expect(await text(socket)).toContain('HTTP/1.1 200 ')
})
