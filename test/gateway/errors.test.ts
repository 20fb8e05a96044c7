import { pino } from 'pino'
import { describe, expect, onTestFinished } from 'vitest'
import { commonHeaders, defaultUidSignatureScheme, failed } from '#contract'
import type { Gateway } from '#gateway'
import { createGatewayServer } from '../../gateway/server.ts'
import { sendRaw } from '../support/servers/rawRequest.ts'
import { bodyOf, keys, signed, test } from '../support/world/gatewayTest.ts'

const close = 'Connection: close'
const noPath = failed('UnknownOperation', 'There is no operation at this path.')
const noHost = failed('InvalidRequest', 'The header Host is missing.')
const otherMethod = failed('MethodNotAllowed', 'This path requires POST.')
const expected: [name: string, lines: readonly string[], status: number, body: object][] = [
  ['an unknown path', ['GET /nowhere HTTP/1.1', 'Host: a', close], 404, noPath],
  ['a path that ends with a slash', ['POST /callbacks/ HTTP/1.1', 'Host: a', close], 404, noPath],
  ['another method', ['GET /callbacks HTTP/1.1', 'Host: a', close], 405, otherMethod],
  [
    'malformed percent-encoding',
    ['GET /%zz HTTP/1.1', 'Host: a', close],
    400,
    failed('InvalidRequest', 'The path must have valid percent-encoding.'),
  ],
  ['no Host', ['POST /callbacks HTTP/1.1', close], 400, noHost],
  [
    'an unknown expectation',
    ['POST /callbacks HTTP/1.1', 'Host: a', close, 'Expect: more'],
    417,
    failed('InvalidRequest', 'The header Expect must be 100-continue or absent.'),
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
    ['POST /callbacks HTTP/1.1', 'Host: a', `X-Long: ${'x'.repeat(20_000)}`],
    431,
    failed('InvalidRequest', 'The path, its query and the headers must have at most 16384 bytes together.'),
  ],
  [
    'an unknown transfer coding',
    ['POST /callbacks HTTP/1.1', 'Host: a', close, 'Transfer-Encoding: gzip, chunked', '', '0'],
    501,
    failed('InvalidRequest', 'The header Transfer-Encoding must be chunked or absent.'),
  ],
]

describe('a request that is not a callback has an error of the listener, and a line in the log', () => {
  test.for(expected)('%s', async ([, lines, status, body], { gateway, lines: log }) => {
    const response = await sendRaw(gateway.port, [...lines, '', ''])
    expect({ status: response.status, body: response.body }).toEqual({ status, body })
    expect(Object.fromEntries(response.headers)).toMatchObject(commonHeaders)
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(response.headers.get('allow')).toBe(status === 405 ? 'POST' : null)
    const requestId = response.headers.get('x-request-id')
    await expect.poll(() => linesOf(log, requestId)).toEqual([expect.objectContaining({ status, msg: 'request' })])
    expect(gateway.counts).toMatchObject({ invalidSignature: 0, rejected: 0 })
  })

  test('a flood of them is a few lines, which count the others', async ({ gateway, lines }) => {
    const statuses = await Promise.all(Array.from({ length: 50 }, () => read(gateway, '/nowhere')))
    expect(new Set(statuses)).toEqual(new Set([404]))
    const logged = lines.map(line => JSON.parse(line)).filter(({ status }) => status === 404)
    expect(logged.length).toBeGreaterThan(0)
    expect(logged.length).toBeLessThan(10)
  })
})

/** A listener whose signals fail. */
async function listen(log: string[], arrivalTimeout?: number): Promise<number> {
  const { app } = createGatewayServer({
    verification: { keys: [keys.current], uidSignatureScheme: defaultUidSignatureScheme, standardWebhooks: true },
    signal: () => Promise.reject(new Error('the defect')),
    readiness: {} as never,
    log: pino({}, { write: line => void log.push(line) }),
    stopping: new AbortController().signal,
    clock: Date.now,
    ...(arrivalTimeout !== undefined && { arrivalTimeout }),
  })
  onTestFinished(() => app.close())
  await app.listen({ host: '127.0.0.1', port: 0 })
  return (app.server.address() as { port: number }).port
}

test('a callback that stops arriving is 408, which names the limit', async () => {
  const log: string[] = []
  const port = await listen(log, 300)
  const headers = Object.entries(signed('{}')).map(([name, value]) => `${name}: ${value}`)
  const {
    status,
    body,
    headers: sent,
  } = await sendRaw(port, [...['POST /callbacks HTTP/1.1', 'Host: a', 'Content-Length: 2', ...headers, '', '{']])
  expect({ status, body }).toEqual({
    status: 408,
    body: failed('InvalidRequest', 'The request must arrive completely within 0.3 seconds.'),
  })
  expect(linesOf(log, sent.get('x-request-id'))).toMatchObject([{ status: 408 }])
  expect(log.filter(line => JSON.parse(line).level >= 50)).toEqual([])
})

test('a defect is 500 without its text, and an error in the log', async () => {
  const log: string[] = []
  const port = await listen(log)
  const body = bodyOf('case-1')
  const response = await fetch(`http://127.0.0.1:${port}/callbacks`, { method: 'POST', headers: signed(body), body })
  const requestId = response.headers.get('x-request-id')
  expect({ status: response.status, body: await response.json() }).toEqual({
    status: 500,
    body: failed('InternalError', `The gateway failed; the request id is ${requestId}.`),
  })
  expect(linesOf(log, requestId)).toMatchObject([{ logId: 'callback-failed', err: { message: 'the defect' } }])
})

function linesOf(log: readonly string[], id: string | null): unknown[] {
  return log.map(line => JSON.parse(line)).filter(({ requestId }) => requestId === id)
}

async function read({ address }: Gateway, path: string): Promise<number> {
  return (await fetch(address + path)).status
}
