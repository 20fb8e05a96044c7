import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { FlowApi } from '../../../gateway/flowApi/index.ts'
import type { FlowApiLimits } from '../../../gateway/flowApi/settings.ts'
import { type Issuer, startIssuer } from '../../support/flowApi/issuer.ts'
import { startLoneFlowApi } from '../../support/flowApi/withoutTemporal.ts'

let issuer: Issuer
beforeAll(async () => {
  issuer = await startIssuer()
})
afterAll(() => issuer.stop())

/** A flow API with its log. */
async function open(limits: Partial<FlowApiLimits> = {}) {
  const log: string[] = []
  const codes: string[] = []
  const flowApi = await startLoneFlowApi(
    {
      issuers: [{ kind: 'openid', issuer: issuer.url, audience: issuer.audience }],
      limits: { eventLoopDelay: 60_000, ...limits },
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
