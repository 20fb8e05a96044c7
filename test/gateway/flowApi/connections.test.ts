import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { FlowDeclaration } from '#flows/declaration'
import type { FlowApi } from '../../../gateway/flowApi/index.ts'
import type { FlowApiLimits } from '../../../gateway/flowApi/settings.ts'
import { type Issuer, startIssuer } from '../../support/flowApi/issuer.ts'
import { callsOf } from '../../support/flowApi/useFlowApi.ts'
import { startLoneFlowApi } from '../../support/flowApi/withoutTemporal.ts'

let issuer: Issuer
beforeAll(async () => {
  issuer = await startIssuer()
})
afterAll(() => issuer.stop())

/** A flow API with its log. */
async function open(limits: Partial<FlowApiLimits> = {}, flows: readonly FlowDeclaration[] = []) {
  const log: string[] = []
  const codes: string[] = []
  const flowApi = await startLoneFlowApi(
    {
      issuers: [{ kind: 'openid', issuer: issuer.url, audience: issuer.audience }],
      limits: { eventLoopDelay: 60_000, ...limits },
      flows,
    },
    {
      log: pino({}, { write: line => void log.push(line) }),
      observer: { flowApiAnswered: (_, code) => void codes.push(code), flowApiStreams: () => undefined },
    },
  )
  let stopped: Promise<void> | undefined
  const stop = (timeout: number) => {
    stopped ??= flowApi.stop(timeout)
    return stopped
  }
  onTestFinished(() => stop(1_000))
  const lineOf = (id: string) => log.map(line => JSON.parse(line)).find(({ requestId }) => requestId === id)
  return { address: flowApi.address, stop, lineOf, codes }
}

/** Sends the beginning of a start, whose body never arrives. */
async function sendBeginning({ address }: Pick<FlowApi, 'address'>) {
  const socket = connect(Number(URL.parse(address)?.port), '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  const head = ['POST /flows/stock HTTP/1.1', 'Host: test', `Authorization: Bearer ${await issuer.token()}`]
  const more = ['X-Request-Id: unfinished', 'Content-Type: application/json', 'Content-Length: 100', '', '{"ca']
  socket.write([...head, ...more].join('\r\n'))
  return socket
}

describe('a caller that does not break off is not logged as one that did', () => {
  test('its request that arrives too late is 408, which names the limit', async () => {
    const flowApi = await open({ arrival: 300 })
    const [head = '', body = ''] = (await text(await sendBeginning(flowApi))).split('\r\n\r\n')
    expect(head).toContain('HTTP/1.1 408 ')
    expect(JSON.parse(body)).toMatchObject({
      code: 'InvalidRequest',
      detail: 'The request must arrive completely within 0.3 seconds.',
    })
    await expect.poll(() => flowApi.lineOf('unfinished')).toMatchObject({ status: 408, errorCode: 'InvalidRequest' })
    expect(flowApi.codes).toEqual(['InvalidRequest'])
  })

  test('its connection that a stop closes is Unavailable', async () => {
    const flowApi = await open()
    const reads = issuer.reads()
    const socket = await sendBeginning(flowApi)
    await expect.poll(issuer.reads).toBeGreaterThan(reads)
    socket.on('error', () => undefined)
    await flowApi.stop(200)
    await expect.poll(() => flowApi.lineOf('unfinished')).toMatchObject({ status: 503, errorCode: 'Unavailable' })
    expect(flowApi.codes).toEqual(['Unavailable'])
  })
})

/** Bytes that the system keeps for no connection. */
const large = 16 * 1_024 * 1_024

/** The error for an unknown flow names all flows, so that this one makes its response large. */
const longName = { name: 'f'.repeat(large) } as FlowDeclaration

/** Sends requests over one connection, and reads nothing. */
async function sendUnread({ address }: Pick<FlowApi, 'address'>, requests: readonly string[]) {
  const socket = connect(Number(URL.parse(address)?.port), '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => undefined).pause()
  socket.write(requests.join(''))
  return socket
}

const toStart = async (caseNo: string) => {
  const body = JSON.stringify({ caseNo, request: {} })
  const head = ['POST /flows/unknown HTTP/1.1', 'Host: test', `Authorization: Bearer ${await issuer.token()}`]
  const more = [`X-Request-Id: ${caseNo}`, 'Content-Type: application/json', `Content-Length: ${body.length}`, '', body]
  return [...head, ...more].join('\r\n')
}

describe('a response that its caller does not read', () => {
  test('without a token is closed once nothing of it was read for a while', async () => {
    const flowApi = await open({ stall: 300 })
    // Each has four megabytes.
    const get = (id: number) => `GET /docs/reference.js HTTP/1.1\r\nHost: test\r\nX-Request-Id: unread-${id}\r\n\r\n`
    await sendUnread(flowApi, [0, 1, 2, 3].map(get))
    await expect.poll(() => flowApi.lineOf('unread-3')).toMatchObject({ status: 499, errorCode: 'CallAborted' })
  })

  test('counts as a request in progress until it is read', async () => {
    const flowApi = await open({ requests: 1 }, [longName])
    const socket = await sendUnread(flowApi, [await toStart('unread')])
    const call = callsOf(flowApi.address, await issuer.token())
    const statusOf = async () => (await call('GET', '/flows?pageSize=0')).status
    await expect.poll(statusOf).toBe(429)
    // The request has ended: what is left of it is the response.
    expect(flowApi.lineOf('unread')).toBeUndefined()
    socket.resume()
    await expect.poll(statusOf, { timeout: 30_000 }).toBe(400)
    expect(flowApi.lineOf('unread')).toMatchObject({ status: 404, errorCode: 'UnknownFlow' })
  })

  test('that its caller reads slowly is sent completely', async () => {
    const flowApi = await open({ stall: 4_000 }, [longName])
    const socket = await sendUnread(flowApi, [await toStart('slow')])
    let bytes = 0
    for await (const chunk of socket as AsyncIterable<Buffer>) {
      bytes += chunk.length
      // Longer than the limit, all together.
      if (bytes < large) await delay(20)
      if (bytes > 2 * large) break
    }
    await expect.poll(() => flowApi.lineOf('slow')).toMatchObject({ status: 404 })
  })
})

describe('the challenge of a 401 (RFC 6750 section 3.1)', () => {
  const realm = 'Bearer realm="lockerflow"'
  test.each([
    ['no token', undefined, realm],
    ['another scheme', 'Basic YTpi', realm],
    ['an invalid token', 'Bearer nonsense', `${realm}, error="invalid_token"`],
    ['a token in another casing of the scheme', 'bearer nonsense', `${realm}, error="invalid_token"`],
  ])('%s', async (_, authorization, challenge) => {
    const { address } = await open()
    const headers = authorization === undefined ? {} : { authorization }
    const response = await fetch(`${address}/flows`, { headers })
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toBe(challenge)
  })
})
