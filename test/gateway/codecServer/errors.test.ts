// Every error of the codec server has the form of the service's errors.
import { defaultPayloadConverter } from '@temporalio/common'
import { describe, expect, onTestFinished, test } from 'vitest'
import { commonHeaders, failed } from '#contract'
import type { CodecServerSettings } from '#gateway/codecServer'
import { createDataConverter } from '#platform/codec'
import { createLog } from '#platform/logs'
import { createCodecServer } from '../../../gateway/codecServer/server.ts'
import { newKey, ringOf } from '../../support/codec/keys.ts'
import { toJson } from '../../support/codec/payloads.ts'
import { sendRaw } from '../../support/servers/rawRequest.ts'

type Lines = Record<string, unknown>[]

async function listen(settings: Partial<CodecServerSettings> = {}, arrivalTimeout?: number) {
  const lines: Lines = []
  const app = createCodecServer(
    {
      host: '127.0.0.1',
      port: 0,
      dataConverter: createDataConverter(ringOf(newKey('2026-12'))),
      namespace: 'default',
      origins: [],
      log: createLog('info', { write: line => void lines.push(JSON.parse(line)) }),
      ...settings,
    },
    arrivalTimeout,
  )
  onTestFinished(() => app.close())
  await app.listen({ host: '127.0.0.1', port: 0 })
  return { lines, port: (app.server.address() as { port: number }).port }
}

const host = ['Host: a', 'Connection: close']
const namespace = 'X-Namespace: default'
const json = 'Content-Type: application/json'
const unreadable = failed('InvalidRequest', 'The request cannot be read.')
const late = failed('InvalidRequest', 'The request must arrive completely within 0.3 seconds.')

const expected: [name: string, lines: readonly string[], status: number, body: object][] = [
  [
    'an unknown path',
    ['GET /nowhere HTTP/1.1', ...host],
    404,
    failed('UnknownOperation', 'There is no operation at this path.'),
  ],
  [
    'another method',
    ['PUT /decode HTTP/1.1', ...host],
    405,
    failed('MethodNotAllowed', 'This path requires OPTIONS, POST.'),
  ],
  [
    'malformed percent-encoding',
    ['GET /%zz HTTP/1.1', ...host],
    400,
    failed('InvalidRequest', 'The path must have valid percent-encoding.'),
  ],
  [
    'no Host',
    ['POST /decode HTTP/1.1', 'Connection: close'],
    400,
    failed('InvalidRequest', 'The header Host is missing.'),
  ],
  ['bytes that are not HTTP', ['no http'], 400, failed('InvalidRequest', 'The request must be valid HTTP.')],
  [
    'the method CONNECT',
    ['CONNECT host:443 HTTP/1.1', 'Host: host:443'],
    501,
    failed('InvalidRequest', 'The method must not be CONNECT: this is not a proxy.'),
  ],
  [
    'headers that are too large',
    ['POST /decode HTTP/1.1', ...host, `X-Long: ${'x'.repeat(20_000)}`],
    431,
    failed('InvalidRequest', 'The path, its query and the headers must have at most 16384 bytes together.'),
  ],
  [
    'an unknown transfer coding',
    ['POST /decode HTTP/1.1', ...host, 'Transfer-Encoding: gzip, chunked', '', '0'],
    501,
    failed('InvalidRequest', 'The header Transfer-Encoding must be chunked or absent.'),
  ],
  [
    'another content type',
    ['POST /decode HTTP/1.1', ...host, namespace, 'Content-Type: text/csv', 'Content-Length: 2', '', '{}'],
    415,
    failed('UnsupportedMediaType', 'The body must be application/json.'),
  ],
  [
    'a compressed body',
    ['POST /decode HTTP/1.1', ...host, namespace, json, 'Content-Encoding: gzip', 'Content-Length: 2', '', '{}'],
    415,
    failed('UnsupportedMediaType', 'The header Content-Encoding must be identity or absent.'),
  ],
  [
    'a body that is not JSON',
    ['POST /decode HTTP/1.1', ...host, namespace, json, 'Content-Length: 1', '', '{'],
    400,
    unreadable,
  ],
  [
    'a body that is too large',
    ['POST /decode HTTP/1.1', ...host, namespace, json, `Content-Length: ${20 * 1_024 * 1_024}`],
    413,
    failed('RequestTooLarge', 'The body is larger than the codec server accepts.'),
  ],
  [
    'another namespace',
    ['POST /decode HTTP/1.1', ...host, json, 'Content-Length: 2', '', '{}'],
    403,
    failed('Forbidden', 'X-Namespace: must be default.'),
  ],
  ['a body that stops arriving', ['POST /decode HTTP/1.1', ...host, namespace, json, 'Content-Length: 2'], 408, late],
]

describe('a request that is not answered has an error of the listener, and a line in the log', () => {
  test.for(expected)('%s', async ([, sent, status, body]) => {
    const { port, lines } = await listen({}, 300)
    const response = await sendRaw(port, [...sent, '', ''])
    expect({ status: response.status, body: response.body }).toEqual({ status, body })
    expect(Object.fromEntries(response.headers)).toMatchObject(commonHeaders)
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(response.headers.get('allow')).toBe(status === 405 ? 'OPTIONS, POST' : null)
    const requestId = response.headers.get('x-request-id')
    const { error: errorCode } = body as { error: string }
    const line = expect.objectContaining({ requestId, status, errorCode, msg: 'request' })
    await expect.poll(() => lines.filter(({ msg }) => msg === 'request')).toEqual([line])
    expect(lines.filter(({ level }) => Number(level) >= 40)).toEqual([])
  })
})

test('a defect is 500 without its text, and an error in the log', async () => {
  const fail = () => Promise.reject(new Error('the defect'))
  const { port, lines } = await listen({ dataConverter: { payloadCodecs: [{ encode: fail, decode: fail }] } })
  const response = await fetch(`http://127.0.0.1:${port}/decode`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-namespace': 'default' },
    body: JSON.stringify({ payloads: [toJson(defaultPayloadConverter.toPayload('x'))] }),
  })
  const requestId = response.headers.get('x-request-id')
  expect({ status: response.status, body: await response.json() }).toEqual({
    status: 500,
    body: failed('InternalError', `The codec server failed; the request id is ${requestId}.`),
  })
  expect(lines.filter(({ level }) => Number(level) >= 40)).toEqual([
    expect.objectContaining({
      logId: 'codec-request-failed',
      requestId,
      err: expect.objectContaining({ message: 'the defect' }),
    }),
  ])
})
