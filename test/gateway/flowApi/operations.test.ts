import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { toWorkflowId } from '#flows'
import { createLog } from '#platform/logs'
import { problem } from '../../../gateway/flowApi/problem.ts'
import { statusByKind } from '../../../gateway/flowApi/results.ts'
import { callsOf, useFlowApi } from '../../support/flowApi/useFlowApi.ts'
import { requestOf } from '../../support/flows/booking.ts'
import { parcel } from '../../support/world/apiWorld.ts'
import { useWorld } from '../../support/world/useWorld.ts'

/** The lines that the service logged. */
const lines: Record<string, unknown>[] = []
const log = createLog('info', { write: line => void lines.push(JSON.parse(line)) })
const world = useWorld({ service: { log } })
const flowApi = useFlowApi(world)

const onCase = (caseNo: string, call = '') => `/flows/${encodeURIComponent(caseNo)}${call}`

/** Starts a flow by HTTP and waits for its booking. */
async function book(flow: 'stock' | 'issue', windows = {}): Promise<string> {
  const caseNo = world.newCase()
  const { body } = await flowApi.call('POST', `/flows/${flow}?wait=booked`, {
    caseNo,
    request: requestOf(world, flow),
    windows,
  })
  expect(body).toMatchObject({ kind: 'Booked', flow, caseNo, shipments: [{ role: flow }] })
  return caseNo
}

describe('a start', () => {
  test('returns Started, and finds the running flow when it is repeated', async () => {
    const caseNo = world.newCase()
    const input = { caseNo, request: parcel }
    const first = await flowApi.call('POST', '/flows/stock', input)
    expect(first).toMatchObject({ status: 202, body: { kind: 'Started', caseNo, isNew: true } })
    const second = await flowApi.call('POST', '/flows/stock', input)
    expect(second).toMatchObject({ status: 202, body: { ...first.body, isNew: false } })
    await world.statusWhen(caseNo, ({ stage }) => stage === 'dropOff')
    await world.flows.cancel(caseNo, 'over')
    const third = await flowApi.call('POST', '/flows/stock', input)
    expect(third).toMatchObject({ status: 200, body: { kind: 'CaseFinished', result: { outcome: 'cancelled' } } })
  })

  test('of concurrent callers of one case starts one flow, and all get its booking', async () => {
    const caseNo = world.newCase()
    const start = () => flowApi.call('POST', '/flows/stock?wait=booked', { caseNo, request: parcel })
    const answers = await Promise.all(Array.from({ length: 20 }, start))
    const shipmentUid = answers[0]?.body.shipments[0].shipmentUid
    for (const { body } of answers) expect(body).toMatchObject({ kind: 'Booked', shipments: [{ shipmentUid }] })
    expect(await world.shipmentsOf(caseNo)).toHaveLength(1)
    await world.flows.cancel(caseNo, 'over')
  })

  test('with another request is refused as CaseInUse, as a problem', async () => {
    const caseNo = await book('stock')
    const other = { caseNo, request: { ...parcel, AllowLargerLockers: false } }
    for (const path of ['/flows/stock', '/flows/stock?wait=booked']) {
      const { status, headers, body } = await flowApi.call('POST', path, other)
      expect(status).toBe(409)
      expect(headers.get('content-type')).toBe('application/problem+json; charset=utf-8')
      expect(body).toMatchObject({ type: 'urn:lockerflow:problem:CaseInUse', status: 409, kind: 'CaseInUse', caseNo })
      expect(body.requestId).toBe(headers.get('x-request-id'))
      expect(body.detail).toContain('AllowLargerLockers')
    }
    await world.flows.cancel(caseNo, 'over')
  })

  test('that the service refuses is Refused with the code of the service', async () => {
    const caseNo = world.newCase(0)
    const request = { ...parcel, PupUid: 'nowhere' }
    const answer = await flowApi.call('POST', '/flows/stock?wait=booked', { caseNo, request })
    expect(answer).toMatchObject({ status: 422, body: { kind: 'Refused', code: 'InvalidPupUid', status: 422 } })
    const { requestId, serviceRequestId } = answer.body
    expect(requestId).toBe(answer.headers.get('x-request-id'))
    expect(lines.filter(line => line.requestId === serviceRequestId)).toMatchObject([
      { operation: 'CreateLocalShipmentAsStock', errorCode: 'InvalidPupUid' },
    ])
    const { message } = answer.body
    expect(await flowApi.call('GET', onCase(caseNo))).toMatchObject({
      status: 200,
      body: {
        status: {
          state: 'ended',
          result: null,
          failure: { code: 'InvalidPupUid', message, serviceRequestId, leftOver: [] },
        },
      },
    })
  })

  test('of an account flow waits for its end', async () => {
    const caseNo = world.newCase(0)
    const request = {
      emailAddress: `${caseNo}@example.org`,
      firstName: 'Kim',
      lastName: 'Reader',
      pickUpPointUid: 'pup-1',
    }
    const answer = await flowApi.call('POST', '/flows/onboardAccount?wait=end', { caseNo, request })
    expect(answer).toMatchObject({ status: 200, body: { kind: 'Ended', result: { caseNo, outcome: 'completed' } } })
  })

  test('returns a pending result when its time is over', async () => {
    const caseNo = await book('stock')
    const answer = await flowApi.call('POST', '/flows/stock?wait=end&timeout=1', { caseNo, request: parcel })
    expect(answer).toMatchObject({ status: 202, body: { kind: 'EndPending', caseNo, code: 'NoResponseInTime' } })
    await world.flows.cancel(caseNo, 'over')
  })

  test('of an unknown flow, or of a workflow that is not a flow, starts nothing', async () => {
    const caseNo = 'never-started'
    for (const flow of ['isue', 'sweep', 'notification', '__proto__', 'constructor']) {
      const answer = await flowApi.call('POST', `/flows/${flow}`, { caseNo, request: {} })
      expect(answer).toMatchObject({ status: 404, body: { code: 'UnknownFlow' } })
    }
    expect(await world.flows.status(caseNo)).toMatchObject({ kind: 'UnknownCase' })
  })
})

test('the status of a flow is that of the client', async () => {
  const caseNo = await book('issue')
  const status = await world.statusWhen(caseNo, ({ stage }) => stage === 'dropOff')
  expect(await flowApi.call('GET', onCase(caseNo))).toMatchObject({ status: 200, body: { kind: 'Status', status } })
  expect(await flowApi.call('POST', onCase(caseNo, '/cancel'), { reason: 'over' })).toMatchObject({
    status: 200,
    body: { kind: 'Cancelled', outcome: 'cancelled', leftOver: [] },
  })
  expect(await flowApi.call('POST', onCase(caseNo, '/cancel'), { reason: 'over' })).toMatchObject({
    status: 422,
    body: { kind: 'Refused', code: 'FlowEnded' },
  })
})

test('a request runs its operation once', async () => {
  const caseNo = await book('stock')
  const { events } = await world.client.workflow.getHandle(toWorkflowId(caseNo)).fetchHistory()
  const accepted = (events ?? []).filter(event => event.workflowExecutionUpdateAcceptedEventAttributes)
  expect(accepted).toHaveLength(1)
  await flowApi.call('POST', onCase(caseNo, '/cancel'), { reason: 'over' })
})

test('a person decides about a window that has passed', async () => {
  const caseNo = await book('issue', { pickUp: '300ms' })
  const { shipments } = await world.statusWhen(caseNo, ({ stage }) => stage === 'dropOff')
  for (const shipment of shipments) await world.open(shipment, 'deliveryCode')
  await world.statusWhen(caseNo, ({ overdue }) => overdue)
  const extend = { decision: 'extend', by: '1h' }
  const toAnother = await flowApi.call('POST', onCase(caseNo, '/decide'), { ...extend, notification: 'another' })
  expect(toAnother).toMatchObject({ status: 422, body: { kind: 'Refused', code: 'NothingToDecide' } })
  // The status tells that the window has passed a moment before the flow asks.
  await expect
    .poll(() => flowApi.call('POST', onCase(caseNo, '/decide'), extend))
    .toMatchObject({ status: 200, body: { kind: 'Decided', status: { caseNo } } })
  const again = await flowApi.call('POST', onCase(caseNo, '/decide'), extend)
  expect(again).toMatchObject({ status: 422, body: { kind: 'Refused', code: 'NothingToDecide' } })
  for (const shipment of shipments) await world.open(shipment, 'pickUpCode')
})

test('the dispatcher names the receiver, and ends a kept booking', async () => {
  const kept = world.newCase()
  const request = { ...parcel, KeepBookedAfterPickUp: true }
  await flowApi.call('POST', '/flows/collectByDispatcher?wait=booked', { caseNo: kept, request })
  await world.statusWhen(kept, ({ step }) => step === 'kept')
  const released = await flowApi.call('POST', onCase(kept, '/release'))
  expect(released).toMatchObject({ status: 200, body: { kind: 'Answered', step: 'kept' } })
  expect(await world.flows.result(kept)).toMatchObject({ result: { outcome: 'completed' } })

  const caseNo = await book('stock')
  const assign = { toUserUid: world.userUid }
  const early = await flowApi.call('POST', onCase(caseNo, '/assignReceiver'), assign)
  expect(early).toMatchObject({ status: 422, body: { kind: 'Refused', code: 'InvalidFlowInput' } })
  const nothing = await flowApi.call('POST', onCase(caseNo, '/release'))
  expect(nothing).toMatchObject({ status: 422, body: { kind: 'Refused', code: 'InvalidFlowInput' } })
  const unasked = await flowApi.call('POST', onCase(caseNo, '/answer'), { step: 'quote', answer: 'priced' })
  expect(unasked).toMatchObject({ status: 422, body: { kind: 'Refused', code: 'InvalidFlowInput' } })
  await world.flows.cancel(caseNo, 'over')
})

test('lists flows by a filter, page by page', async () => {
  const caseNo = await book('issue')
  const filter = `/flows?flow=issue&user=${world.userUid}&overdue=false&pageSize=1`
  await expect.poll(async () => (await flowApi.call('GET', filter)).body.cases[0]?.caseNo).toBe(caseNo)
  const page = await flowApi.call('GET', filter)
  expect(page).toMatchObject({ status: 200, body: { kind: 'Listed', cases: [{ flow: 'issue', user: world.userUid }] } })
  const other = await book('issue')
  const pages = async (found: string[] = [], cursor?: string): Promise<string[]> => {
    const { status, body } = await flowApi.call(
      'GET',
      `${filter}${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`,
    )
    expect(status).toBe(200)
    expect(body.cases.length).toBeLessThanOrEqual(1)
    const all = [...found, ...body.cases.map((each: { caseNo: string }) => each.caseNo)]
    return body.cursor === null ? all : pages(all, body.cursor)
  }
  await expect.poll(async () => (await pages()).slice(0, 2)).toEqual([other, caseNo])
  await world.flows.cancel(other, 'over')
  const invalid = await flowApi.call('GET', `${filter}&cursor=abc`)
  expect(invalid).toMatchObject({ status: 422, body: { kind: 'Refused', code: 'InvalidCursor' } })
  await world.flows.cancel(caseNo, 'over')
})

test.each(['/flows/%E0%A4', '/flows/%E0%A4/events', '/flows/%/cancel'])(
  'a path with malformed percent-encoding is a wrong request, and no unknown operation: %s',
  async path => {
    const { status, body } = await flowApi.call('GET', path)
    expect({ status, code: problem.parse(body).code }).toEqual({ status: 400, code: 'InvalidRequest' })
  },
)

test('a body that is nested too deeply is a wrong request, and starts nothing', async () => {
  const start = async (depth: number, caseNo: string) => {
    const nested = '['.repeat(depth) + ']'.repeat(depth)
    const body = JSON.stringify({ caseNo, request: { ...parcel, extra: 'nested' } }).replace('"nested"', nested)
    const headers = { authorization: `Bearer ${await flowApi.issuer.token()}`, 'content-type': 'application/json' }
    return fetch(`${flowApi.address}/flows/stock`, { method: 'POST', headers, body })
  }
  const caseNo = world.newCase()
  for (const depth of [99, 3_100, 120_000]) {
    const refused = await start(depth, caseNo)
    expect({ status: refused.status, code: problem.parse(await refused.json()).code }).toEqual({
      status: 400,
      code: 'InvalidRequest',
    })
  }
  expect((await flowApi.call('GET', onCase(caseNo))).status).toBe(404)
  expect((await start(98, caseNo)).status).toBe(202)
  await world.statusWhen(caseNo, ({ stage }) => stage === 'dropOff')
  await world.flows.cancel(caseNo, 'over')
})

describe('404 has one shape', () => {
  test.each([
    ['an unknown case', 'GET', '/flows/nowhere', undefined, 'UnknownCase'],
    ['an unknown case of a stream', 'GET', '/flows/nowhere/events', undefined, 'UnknownCase'],
    ['an impossible case number', 'GET', `/flows/${'x'.repeat(61)}`, undefined, 'UnknownCase'],
    ['a cancelled unknown case', 'POST', '/flows/nowhere/cancel', { reason: 'over' }, 'UnknownCase'],
    ['a decided unknown case', 'POST', '/flows/nowhere/decide', { decision: 'extend' }, 'UnknownCase'],
    ['an assigned unknown case', 'POST', '/flows/nowhere/assignReceiver', { toUserUid: 'u' }, 'UnknownCase'],
    ['a released unknown case', 'POST', '/flows/nowhere/release', undefined, 'UnknownCase'],
    ['an answered unknown case', 'POST', '/flows/nowhere/answer', { step: 's', answer: 'a' }, 'UnknownCase'],
    ['an unknown flow', 'POST', '/flows/nowhere', { caseNo: 'c', request: {} }, 'UnknownFlow'],
    ['an unknown path', 'GET', '/nowhere', undefined, 'UnknownOperation'],
  ] as const)('%s', async (_, method, path, body, code) => {
    const answer = await flowApi.call(method, path, body)
    expect(answer.status).toBe(404)
    expect(answer.body).toMatchObject({
      type: `urn:lockerflow:problem:${code}`,
      title: expect.any(String),
      status: 404,
      detail: expect.not.stringContaining('errors.md#'),
      code,
      requestId: answer.headers.get('x-request-id'),
    })
  })
})

describe('an invalid request is a problem', () => {
  test.each([
    ['a field is missing', 'POST', '/flows/stock', { caseNo: 'c' }, 400, 'request is missing'],
    ['a field is unknown', 'POST', '/flows/stock', { caseNo: 'c', request: {}, window: {} }, 400, 'window'],
    [
      'a case number that no path can contain',
      'POST',
      '/flows/stock',
      { caseNo: '..', request: {} },
      400,
      'caseNo: must',
    ],
    ['a query is unknown', 'POST', '/flows/stock?wait=now', { caseNo: 'c', request: {} }, 400, 'wait: must be booked'],
    [
      'a time is not in digits',
      'POST',
      '/flows/c/release?timeout=0x10',
      undefined,
      400,
      'timeout: must be a number from',
    ],
    [
      'a window is not a duration',
      'POST',
      '/flows/stock',
      { caseNo: 'c', request: {}, windows: { dropOff: '2 dayz' } },
      400,
      'windows.dropOff: must be a duration such as "30s"',
    ],
    ['the body is not JSON', 'POST', '/flows/stock', '{', 400, 'must be JSON'],
    ['a prototype', 'POST', '/flows/stock', '{"__proto__": {"a": 1}}', 400, '__proto__'],
    ['a method is wrong', 'POST', '/flows', {}, 405, 'requires GET'],
  ] as const)('%s', async (_, method, path, body, status, detail) => {
    const answer = await flowApi.call(method, path, body)
    expect(answer).toMatchObject({ status, body: { status, detail: expect.stringContaining(detail) } })
  })

  test.each([
    ['/flows/{key}', '/flows/stock'],
    // It reads no body.
    ['/flows/{caseNo}/release', '/flows/L-1/release'],
  ])('a body that is too large, or of another type, at %s, as its document says', async (operation, path) => {
    const large = await flowApi.call('POST', path, { caseNo: 'c', request: { a: 'x'.repeat(300_000) } })
    expect(large).toMatchObject({ status: 413, body: { code: 'RequestTooLarge' } })
    const text = await flowApi.call('POST', path, 'caseNo=c', { 'content-type': 'text/plain' })
    expect(text).toMatchObject({ status: 415, body: { code: 'UnsupportedMediaType' } })
    const { paths } = (await flowApi.call('GET', '/openapi.json')).body
    expect(Object.keys(paths[operation].post.responses)).toEqual(expect.arrayContaining(['413', '415']))
  })

  test.each(['flow', 'user', 'pickUpPoint', 'where'])(
    'a list by %s with the character NUL, which no store of Temporal reads',
    async name => {
      const value = name === 'where' ? "case = 'a\0'" : 'a\0'
      const answer = await flowApi.call('GET', `/flows?${new URLSearchParams({ [name]: value })}`)
      const detail = expect.stringContaining(`${name}: must not contain the character NUL`)
      expect(answer).toMatchObject({ status: 400, body: { code: 'InvalidRequest', detail } })
    },
  )

  test('headers and query that are too large, and none for a condition of full length', async () => {
    const [most, over] = await Promise.all(
      ['€'.repeat(2_000), '€'.repeat(4_000)].map(where =>
        flowApi.call('GET', `/flows?where=${encodeURIComponent(where)}`),
      ),
    )
    expect(most).toMatchObject({ status: 422, body: { code: 'InvalidFilter' } })
    expect(over).toMatchObject({ status: 431, body: { detail: expect.stringContaining('at most 32768 bytes') } })
  })
})

test('a case number with reserved characters has a path', async () => {
  const caseNo = `${world.newCase()}/ü%?#`.slice(0, 60)
  await flowApi.call('POST', '/flows/stock?wait=booked', { caseNo, request: parcel })
  expect(await flowApi.call('GET', onCase(caseNo))).toMatchObject({ status: 200, body: { status: { caseNo } } })
  await flowApi.call('POST', onCase(caseNo, '/cancel'), { reason: 'over' })
  world.cases.clear()
})

test('without a worker a call that waits is pending, and one that needs the flow is told so', async () => {
  const { address } = await flowApi.open({ taskQueue: `unpolled-${randomUUID()}` })
  const call = callsOf(address, await flowApi.issuer.token())
  const caseNo = `unpolled-${randomUUID()}`
  const booking = await call('POST', '/flows/stock?wait=booked&timeout=1', { caseNo, request: parcel })
  expect(booking).toMatchObject({ status: 202, body: { kind: 'BookingPending', caseNo, code: 'NoWorkerPolls' } })
  const cancelled = await call('POST', onCase(caseNo, '/cancel?timeout=1'), { reason: 'over' })
  expect(cancelled).toMatchObject({ status: 202, body: { kind: 'CancelPending', caseNo, code: 'NoWorkerPolls' } })
  const decided = await call('POST', onCase(caseNo, '/decide?timeout=1'), { decision: 'extend' })
  expect(decided).toMatchObject({ status: 503, body: { status: 503, code: 'NoWorkerPolls' } })
  expect(decided.headers.get('retry-after')).toBe('1')
  await world.client.workflow.getHandle(toWorkflowId(caseNo)).terminate('over')
})

test('health needs no token', async () => {
  for (const path of ['/health/live', '/health/ready']) {
    expect((await fetch(flowApi.address + path)).status).toBe(200)
  }
})

test('the health check names what starts of flows lack, which the registration at the service is not', async () => {
  const temporal = { name: 'temporal', reason: 'gRPC 14: No connection established' } as const
  const registration = { name: 'registration', reason: 'not yet' } as const
  for (const [missing, status] of [
    [[], 200],
    [[temporal], 503],
  ] as const) {
    const own = await flowApi.open({ readiness: { missing: () => [...missing, registration] } })
    const response = await fetch(`${own.address}/health/ready`)
    expect({ status: response.status, body: await response.json() }).toEqual({
      status,
      body: { ready: status === 200, missing },
    })
  }
})

test('each kind below 400 is a success, and each other one has a code', () => {
  expect(
    Object.entries(statusByKind)
      .filter(([, status]) => status >= 400)
      .map(([kind]) => kind),
  ).toEqual(['CaseInUse', 'Refused', 'UnknownCase'])
})
