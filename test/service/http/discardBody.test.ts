import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { operations, tokenPath } from '#contract'
import { startTestService, type TestService } from '../../support/service/testService.ts'

let service: TestService
let bearer: string
beforeAll(async () => {
  service = await startTestService()
  bearer = `Authorization: Bearer ${await service.token()}`
})
afterAll(() => service.stop())

const megabyte = 1_048_576
const { path } = operations.GetShipments
const upload = operations.UploadAccountSuggestions.path
const json = 'Content-Type: application/json'
const form = 'Content-Type: application/x-www-form-urlencoded'
const parts = 'Content-Type: multipart/form-data; boundary=b'

/** A client that sends its whole request before it reads anything, as many HTTP libraries do. */
async function sendAllFirst(lines: readonly string[], bytes: number, chunked = false) {
  const socket = connect(service.port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  const failed = once(socket, 'error').then(([error]) => Promise.reject(error))
  failed.catch(() => undefined)
  socket.pause()
  const length = chunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${bytes}`
  socket.write([...lines, 'Host: test', length, '', ''].join('\r\n'))
  const piece = Buffer.alloc(megabyte, 'x')
  for (let sent = 0; sent < bytes; sent += megabyte) {
    const frame = chunked ? [Buffer.from(`${megabyte.toString(16)}\r\n`), piece, Buffer.from('\r\n')] : [piece]
    const flushed = new Promise<void>((resolve, reject) => {
      socket.write(Buffer.concat(frame), error => (error ? reject(error) : resolve()))
    })
    await Promise.race([flushed, failed])
  }
  if (chunked) socket.write('0\r\n\r\n')
  socket.resume()
  const [head = '', body = ''] = (await Promise.race([text(socket), failed])).split('\r\n\r\n')
  return { status: Number(head.split(' ')[1]), head: head.toLowerCase(), body: JSON.parse(body) }
}

describe('a client that sends 20 MB before it reads gets the response, not a broken pipe', () => {
  test.each([
    ['an operation', () => [`POST ${path} HTTP/1.1`, bearer, json], false],
    ['an operation, in chunks', () => [`POST ${path} HTTP/1.1`, bearer, json], true],
    ['the token endpoint', () => [`POST ${tokenPath} HTTP/1.1`, form], false],
    ['the token endpoint, in chunks', () => [`POST ${tokenPath} HTTP/1.1`, form], true],
  ])('%s: 413', async (_, lines, chunked) => {
    const { status, head, body } = await sendAllFirst(lines(), 20 * megabyte, chunked)
    expect({ status, body }).toEqual({
      status: 413,
      body: { success: false, error: 'RequestTooLarge', message: expect.any(String) },
    })
    expect(head).toContain('\r\nconnection: close')
  })

  test.each([
    ['without a token', () => [`POST ${path} HTTP/1.1`, json], 401],
    ['of another type', () => [`POST ${path} HTTP/1.1`, bearer, 'Content-Type: text/plain'], 415],
    ['encoded', () => [`POST ${path} HTTP/1.1`, bearer, json, 'Content-Encoding: gzip'], 415],
    ['to an unknown path', () => ['POST /v1/None HTTP/1.1', bearer, json], 404],
    ['as an upload', () => [`POST ${upload} HTTP/1.1`, bearer, parts], 413],
  ])('%s: %i', async (_, lines, expected) => {
    const { status, body } = await sendAllFirst([...lines(), 'Connection: close'], 20 * megabyte)
    expect({ status, success: body.success }).toEqual({ status: expected, success: false })
  })
})

test.each([
  ['of an operation', () => [`POST ${path} HTTP/1.1`, bearer], 413],
  ['without a token', () => [`POST ${path} HTTP/1.1`], 401],
  ['to an unknown path', () => ['POST /v1/None HTTP/1.1', bearer], 404],
])(
  'a length that is never sent delays no response: a body over the limit of draining is not read: %s',
  async (_, lines, status) => {
    const socket = connect(service.port, '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    socket.write([...lines(), 'Host: test', json, `Content-Length: ${1_000 * megabyte}`, '', ''].join('\r\n'))
    const response = await text(socket)
    expect(response).toContain(`HTTP/1.1 ${status} `)
    // Or the client would send its next request as a part of this one.
    expect(response.toLowerCase()).toContain('\r\nconnection: close\r\n')
  },
)
