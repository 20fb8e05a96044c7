import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { generateKeyPair } from 'jose'
import { describe, expect, inject, onTestFinished } from 'vitest'
import { createConcurrencyLimit, createRateCheck } from '../../../gateway/flowApi/limits.ts'
import type { FlowApiLimits } from '../../../gateway/flowApi/settings.ts'
import { startIssuer } from '../../support/flowApi/issuer.ts'
import { callsOf } from '../../support/flowApi/useFlowApi.ts'
import { startLoneFlowApi } from '../../support/flowApi/withoutTemporal.ts'
import { startGrpcRelay } from '../../support/servers/grpcRelay.ts'
import { bodyOf, post, signed, test } from '../../support/world/gatewayTest.ts'

const caller = { id: 'one' }

/** The delay of the event loop is that of a busy machine, so it limits nothing. */
function flowApiOf({ url: issuer, audience }: Awaited<ReturnType<typeof startIssuer>>, limits: object) {
  const issuers = [{ kind: 'openid' as const, issuer, audience }]
  return { flowApi: { host: '127.0.0.1', port: 0, issuers, limits: { eventLoopDelay: 60_000, ...limits } } }
}

test('a caller has a share of the requests in progress, and all callers have a sum', ({ expect }) => {
  const limit = createConcurrencyLimit('requests in progress', 2, 3)
  const ends = [limit.begin(caller), limit.begin(caller)]
  const ofCaller = 'The caller has 2 requests in progress already; end one first.'
  expect(() => limit.begin(caller)).toThrow(expect.objectContaining({ code: 'RateLimited', message: ofCaller }))
  const end = limit.begin({ id: 'two' })
  const ofAll = 'The gateway has 3 requests in progress already; try again.'
  expect(() => limit.begin({ id: 'three' })).toThrow(expect.objectContaining({ code: 'Unavailable', message: ofAll }))
  end()
  end()
  expect(limit.total).toBe(2)
  for (const each of ends) each()
  expect(limit.total).toBe(0)
})

test('a caller beyond its rate is told when to come again, and another one is served', ({ expect }) => {
  const take = createRateCheck({ rate: 1 })
  take(caller)
  take(caller)
  expect(() => take(caller)).toThrow(expect.objectContaining({ code: 'RateLimited', retryAfter: 1 }))
  take({ id: 'two' })
})

test('checks of new tokens count by the address that a trusted proxy names', async ({ expect }) => {
  const issuer = await startIssuer()
  const issuers = [{ kind: 'openid' as const, issuer: issuer.url, audience: issuer.audience }]
  const limits = { eventLoopDelay: 60_000, checkedTokens: 1 }
  const { address, stop } = await startLoneFlowApi({ issuers, limits, trustProxy: 1 })
  const { privateKey } = await generateKeyPair('ES256')
  const statusFrom = async (caller: string, jti: string) => {
    const token = await issuer.token({ key: privateKey, claims: { jti } })
    const headers = { authorization: `Bearer ${token}`, 'x-forwarded-for': caller }
    return (await fetch(`${address}/flows/A-1`, { headers })).status
  }
  const flood = await Promise.all(Array.from({ length: 10 }, (_, index) => statusFrom('203.0.113.1', String(index))))
  expect(new Set(flood)).toEqual(new Set([401, 503]))
  expect(await statusFrom('203.0.113.2', 'other')).toBe(401)
  await stop(1_000)
  await issuer.stop()
})

describe('a flood at the flow API', () => {
  test('leaves the callbacks their way to the flows', async ({ open, flow }) => {
    const issuer = await startIssuer()
    const gateway = await open(flowApiOf(issuer, { rate: 20, requests: 4, allRequests: 8 }))
    await gateway.ready
    const address = gateway.flowApiAddress ?? ''
    const known = await issuer.token()
    const { privateKey } = await generateKeyPair('ES256')
    const forged = await Promise.all(
      Array.from({ length: 50 }, (_, index) => issuer.token({ key: privateKey, claims: { jti: String(index) } })),
    )
    const agent = new Agent({ keepAlive: true, maxSockets: 40 })
    const statuses = new Map<number, number>()
    let flooding = true
    async function flood(index: number): Promise<void> {
      for (let next = index; flooding; next++) {
        // Forged tokens, and a client that asks too often for a flow that no worker runs.
        const token = next % 2 === 0 ? forged[next % forged.length] : known
        const sent = request(`${address}/flows/${flow.caseNo}`, {
          agent,
          headers: { authorization: `Bearer ${token}` },
        })
        sent.end()
        const [response] = await once(sent, 'response')
        response.resume()
        await once(response, 'close')
        statuses.set(response.statusCode, (statuses.get(response.statusCode) ?? 0) + 1)
      }
    }
    const floods = Array.from({ length: 40 }, (_, index) => flood(index))
    try {
      await expect.poll(() => statuses.get(429) ?? 0).toBeGreaterThan(50)
      for (let index = 0; index < 20; index++) {
        const body = bodyOf(flow.caseNo, { shipmentUid: `S${index}` })
        expect((await post(gateway, body, signed(body, { id: `msg-${index}` }))).status).toBe(204)
      }
      expect(await flow.signals()).toHaveLength(20)
    } finally {
      flooding = false
      await Promise.all(floods)
      agent.destroy()
    }
    // Nothing but refusals of the gateway itself.
    expect([...statuses.keys()].filter(status => ![200, 401, 429, 503].includes(status))).toEqual([])
    expect(statuses.get(401) ?? 0).toBeGreaterThan(0)
    await issuer.stop()
  })
})

test('a token and its requests leave no trace in the log but the client', async ({ open, lines }) => {
  const issuer = await startIssuer()
  const gateway = await open(flowApiOf(issuer, {}))
  const call = callsOf(gateway.flowApiAddress ?? '', await issuer.token())
  await call('GET', '/flows/private-case-number', undefined, { 'x-request-id': 'request-1' })
  await expect.poll(() => lines.find(line => line.includes('request-1'))).toBeDefined()
  const line = JSON.parse(lines.find(each => each.includes('request-1')) ?? '{}')
  expect(line).toMatchObject({ operation: 'getFlow', clientId: 'shop', status: 404, errorCode: 'UnknownCase' })
  expect(JSON.stringify(line)).not.toContain('private-case-number')
  await issuer.stop()
})

test('a caller that breaks off while its token is checked does not count as in progress', async ({ open, lines }) => {
  const issuer = await startIssuer()
  const gateway = await open(flowApiOf(issuer, { requests: 1 }))
  const token = await issuer.token()
  const release = issuer.hold()
  const gone = new AbortController()
  const headers = { authorization: `Bearer ${token}`, 'x-request-id': 'broken-off' }
  const broken = fetch(`${gateway.flowApiAddress}/flows/nowhere`, { signal: gone.signal, headers }).catch(
    () => undefined,
  )
  await expect.poll(issuer.reads).toBe(1)
  gone.abort()
  await broken
  await expect.poll(() => lines.some(line => line.includes('broken-off'))).toBe(true)
  release()
  const call = callsOf(gateway.flowApiAddress ?? '', token)
  expect(await call('GET', '/flows/nowhere')).toMatchObject({ status: 404 })
  expect(await call('GET', '/flows/nowhere')).toMatchObject({ status: 404 })
  await issuer.stop()
})

test('a start that its caller breaks off is logged as aborted, and a followed flow is not', async ({
  open,
  lines,
  flow,
}) => {
  const issuer = await startIssuer()
  const gateway = await open(flowApiOf(issuer, {}))
  const address = gateway.flowApiAddress ?? ''
  const headers = { authorization: `Bearer ${await issuer.token()}` }
  const socket = connect(Number(URL.parse(address)?.port), '127.0.0.1')
  const head = ['POST /flows/stock HTTP/1.1', 'Host: test', `Authorization: ${headers.authorization}`]
  socket.write(
    [...head, 'X-Request-Id: cut', 'Content-Type: application/json', 'Content-Length: 100', '', '{"ca'].join('\r\n'),
  )
  await expect.poll(issuer.reads).toBe(1)
  socket.destroy()
  const lineOf = (id: string) => lines.map(line => JSON.parse(line)).find(({ requestId }) => requestId === id)
  await expect
    .poll(() => lineOf('cut'))
    .toMatchObject({ operation: 'startFlow', status: 499, errorCode: 'CallAborted' })

  const gone = new AbortController()
  const url = `${address}/flows/${flow.caseNo}/events`
  const { status } = await fetch(url, { signal: gone.signal, headers: { ...headers, 'x-request-id': 'followed' } })
  expect(status).toBe(200)
  gone.abort()
  await expect.poll(() => lineOf('followed')).toMatchObject({ operation: 'watchFlow', status: 200 })
  expect(lineOf('followed')).not.toHaveProperty('errorCode')
  await issuer.stop()
})

test('a caller that goes before its stream begins is logged as aborted, and not as a failure', async ({
  open,
  lines,
  flow,
}) => {
  const { address: target } = inject('temporal')
  const described = Promise.withResolvers<void>()
  const after = (method: string) => (method === 'DescribeWorkflowExecution' ? described.promise : Promise.resolve())
  const [issuer, relay] = await Promise.all([startIssuer(), startGrpcRelay(target, { after })])
  onTestFinished(() => relay.stop())
  const gateway = await open({ ...flowApiOf(issuer, {}), temporal: { address: relay.address } })
  const url = `${gateway.flowApiAddress}/flows/${flow.caseNo}/events`
  const authorization = `Bearer ${await issuer.token()}`
  const gone = new AbortController()
  const aborted = fetch(url, { signal: gone.signal, headers: { authorization, 'x-request-id': 'gone' } })
  await expect.poll(() => relay.passed).toContain('DescribeWorkflowExecution')
  gone.abort()
  await expect(aborted).rejects.toThrow()
  const linesOf = (id: string) => lines.map(line => JSON.parse(line)).filter(({ requestId }) => requestId === id)
  await expect.poll(() => linesOf('gone')).toMatchObject([{ status: 499, errorCode: 'CallAborted' }])
  described.resolve()
  const next = await fetch(url, { headers: { authorization } })
  expect(next.status).toBe(200)
  await next.body?.cancel()
  expect(linesOf('gone')).toHaveLength(1)
  await issuer.stop()
})

describe('lists, each of which can make a call for each of its flows', () => {
  /** A flow API whose Temporal holds the responses to lists. */
  async function openHeld(limits: Partial<FlowApiLimits>) {
    const { address: target, namespace } = inject('temporal')
    const released = Promise.withResolvers<void>()
    const after = (method: string) => (method === 'ListWorkflowExecutions' ? released.promise : Promise.resolve())
    const [issuer, relay] = await Promise.all([startIssuer(), startGrpcRelay(target, { after })])
    const { address, stop } = await startLoneFlowApi(
      {
        issuers: [{ kind: 'openid', issuer: issuer.url, audience: issuer.audience }],
        limits: { eventLoopDelay: 60_000, ...limits },
      },
      { temporal: { address: relay.address }, namespace },
    )
    onTestFinished(async () => {
      released.resolve()
      await stop(1_000)
      await Promise.all([relay.stop(), issuer.stop()])
    })
    const lists = () => relay.passed.filter(method => method === 'ListWorkflowExecutions').length
    return { address, issuer, lists, release: () => released.resolve() }
  }

  const path = '/flows?user=nobody'

  test('are few at a time, of one caller and of all, and the others wait', async () => {
    const { address, issuer, lists, release } = await openHeld({ lists: 2, allLists: 3 })
    const calls = await Promise.all(
      ['one', 'two', 'three'].map(async sub => callsOf(address, await issuer.token({ claims: { sub } }))),
    )
    const ofOne = [1, 2, 3, 4].map(() => calls[0]?.('GET', path))
    await expect.poll(lists).toBe(2)
    const ofOthers = [calls[1]?.('GET', path), calls[2]?.('GET', path)]
    await expect.poll(lists).toBe(3)
    // Another request is answered meanwhile, and no further list has begun.
    expect(await calls[2]?.('GET', '/flows/nowhere')).toMatchObject({ status: 404 })
    expect(lists()).toBe(3)
    release()
    for (const answer of await Promise.all([...ofOne, ...ofOthers])) expect(answer).toMatchObject({ status: 200 })
    expect(lists()).toBe(6)
  })

  test('do not begin once their caller has gone', async () => {
    const { address, issuer, lists, release } = await openHeld({ lists: 1, requests: 2 })
    const token = await issuer.token()
    const call = callsOf(address, token)
    const first = call('GET', path)
    await expect.poll(lists).toBe(1)
    const gone = new AbortController()
    const headers = { authorization: `Bearer ${token}` }
    const second = fetch(address + path, { headers, signal: gone.signal }).catch(() => 'gone')
    await expect.poll(async () => (await call('GET', '/flows/nowhere')).status).toBe(429)
    gone.abort()
    expect(await second).toBe('gone')
    // It waits no longer.
    await expect.poll(async () => (await call('GET', '/flows/nowhere')).status).toBe(404)
    release()
    expect(await first).toMatchObject({ status: 200 })
    expect(await call('GET', path)).toMatchObject({ status: 200 })
    expect(lists()).toBe(2)
  })
})

test('a call whose caller has gone ends soon, and is not in progress any more', async () => {
  const held = Promise.withResolvers<void>()
  const { address: target, namespace } = inject('temporal')
  const after = (method: string) => (method === 'ListWorkflowExecutions' ? Promise.resolve() : held.promise)
  const [issuer, relay] = await Promise.all([startIssuer(), startGrpcRelay(target, { after })])
  const issuers = [{ kind: 'openid' as const, issuer: issuer.url, audience: issuer.audience }]
  const { address, stop } = await startLoneFlowApi(
    { issuers, limits: { eventLoopDelay: 60_000, requests: 1, lingering: 10 } },
    { temporal: { address: relay.address }, namespace },
  )
  const token = await issuer.token()
  const call = callsOf(address, token)
  const gone = new AbortController()
  const headers = { authorization: `Bearer ${token}` }
  const broken = fetch(`${address}/flows/nowhere`, { headers, signal: gone.signal }).catch(() => 'gone')
  await expect.poll(() => relay.passed.length).toBe(1)
  // A list without flows makes one call of Temporal.
  const list = '/flows?user=nobody'
  expect(await call('GET', list)).toMatchObject({ status: 429 })
  gone.abort()
  expect(await broken).toBe('gone')
  await expect.poll(async () => (await call('GET', list)).status, { timeout: 25_000 }).toBe(200)
  held.resolve()
  await stop(1_000)
  await Promise.all([relay.stop(), issuer.stop()])
})
