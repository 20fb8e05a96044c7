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

test('a request of HTTP/1.0 needs no Host', async () => {
  const [head = '', body = ''] = await send(operations.GetShipments.path, [], { version: '1.0' })
  expect(head).toContain(' 200 ')
  expect(JSON.parse(body)).toMatchObject({ success: true })
})
