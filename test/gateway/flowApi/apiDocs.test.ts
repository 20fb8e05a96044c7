import diagnostics from 'node:diagnostics_channel'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { Validator } from '@seriousme/openapi-schema-validator'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Missing } from '#contract'
import type { FlowApi } from '../../../gateway/flowApi/index.ts'
import { problem, problemType } from '../../../gateway/flowApi/problem.ts'
import { startLoneFlowApi } from '../../support/flowApi/withoutTemporal.ts'

/** Routes that the document leaves out, and why. */
const leftOut: Readonly<Record<string, string>> = {
  'GET /openapi.json': 'the document itself',
  'GET /docs': 'the reference page: the document once more, for people',
  'GET /docs/start.js': 'a part of the page',
  'GET /docs/reference.js': 'a part of the page',
  'GET /decisions/:token': 'a page for people, whose address they receive',
  'HEAD /decisions/:token': 'the same',
  'POST /decisions/:token': 'the button of the page',
}

const routes = new Set<string>()
let flowApi: FlowApi
let missing: readonly Missing[] = []

beforeAll(async () => {
  const watch = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance }
    fastify.addHook('onRoute', ({ method, url }) => {
      for (const one of [method].flat()) routes.add(`${one} ${url}`)
    })
  }
  diagnostics.subscribe('fastify.initialization', watch)
  flowApi = await startLoneFlowApi(
    {
      issuers: [],
      decisionKeys: ['a-key-of-decision-links'],
      // A busy machine must not refuse what a test does not ask about.
      limits: { eventLoopDelay: 60_000 },
    },
    { readiness: { missing: () => missing } },
  )
  diagnostics.unsubscribe('fastify.initialization', watch)
})

afterAll(() => flowApi.stop(1_000))

const get = (path: string, init?: RequestInit) => fetch(flowApi.address + path, init)

test('neither the page nor the document is served if the setting closes them', async () => {
  const closed = await startLoneFlowApi({ issuers: [], apiDocs: false })
  onTestFinished(() => closed.stop(1_000))
  for (const path of ['/docs', '/docs/start.js', '/docs/reference.js', '/openapi.json']) {
    expect({ path, status: (await fetch(closed.address + path)).status }).toEqual({ path, status: 404 })
  }
  expect((await fetch(`${closed.address}/health/live`)).status).toBe(200)
})

/** Each test of the page itself is in test/service/http/apiDocs: it is the one of the service. */
test('the reference page and its scripts come from the flow API, without a token', async () => {
  const page = await get('/docs')
  expect(page.status).toBe(200)
  expect(page.headers.get('content-security-policy')).toContain("script-src 'self'")
  const html = await page.text()
  expect(html).toContain('<title>lockerflow flows</title>')
  const scripts = [...html.matchAll(/<script src="([^"]*)">/g)].map(([, source]) => `/${source}`)
  expect(scripts).toEqual(['/docs/start.js', '/docs/reference.js'])
  const [start] = await Promise.all(scripts.map(async path => (await get(path)).text()))
  expect(start).toContain('new URL("openapi.json", document.baseURI)')
  expect(start).toContain('"preferredSecurityScheme":"token"')
  expect(html + start).not.toMatch(/https?:/)
})

test('the document is valid OpenAPI 3.1, and has every route or leaves it out for a reason', async () => {
  const document = (await (await get('/openapi.json')).json()) as {
    readonly openapi: string
    readonly servers: object
    readonly paths: Record<string, object>
  }
  const validator = new Validator()
  expect((await validator.validate(document)).errors).toBeUndefined()
  expect(document.openapi).toBe('3.1.0')
  expect(document.servers).toEqual([{ url: '/' }])
  const documented = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.keys(item).map(method => `${method.toUpperCase()} ${path.replace(/\{\w+\}/, ':key')}`),
  )
  expect([...routes].toSorted()).toEqual([...documented, ...Object.keys(leftOut)].toSorted())
})

test('each operation declares the statuses of a request that the server rejects before it reads the body', async () => {
  const { paths } = (await (await get('/openapi.json')).json()) as {
    readonly paths: Record<string, Record<string, { readonly responses: object }>>
  }
  const operations = Object.entries(paths)
  expect(operations.length).toBeGreaterThan(5)
  for (const { responses } of operations.flatMap(([, item]) => Object.values(item)))
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(['400', '408', '417', '431', '501']))
})

test.each([
  ['/docs', 'GET', 'DELETE'],
  ['/flows', 'GET', 'POST'],
  // A method with a body, which has no type here.
  ['/flows', 'GET', 'QUERY'],
  ['/flows/L-1', 'POST, GET', 'PATCH'],
  ['/flows/L%2F1/cancel', 'POST', 'GET'],
  ['/decisions/abc', 'GET, HEAD, POST', 'PUT'],
])('another method at %s gets 405 with %s: %s', async (path, allow, method) => {
  const response = await get(path, { method })
  expect({ status: response.status, allow: response.headers.get('allow') }).toEqual({ status: 405, allow })
  expect(problem.strict().parse(await response.json()).code).toBe('MethodNotAllowed')
})

test('it is ready while nothing but the registration of the callback address is missing', async () => {
  const away = { name: 'temporal', reason: 'Temporal does not answer' } as const
  missing = [away, { name: 'registration', reason: 'not accepted yet' }]
  const response = await get('/health/ready')
  expect([response.status, await response.json()]).toEqual([503, { ready: false, missing: [away] }])
  expect((await get('/health/live')).status).toBe(200)
  missing = missing.slice(1)
  const again = await get('/health/ready')
  expect([again.status, await again.json()]).toEqual([200, { ready: true, missing: [] }])
})

test.each([
  ['bytes that are not HTTP get', 'nonsense', 400],
  ['the method CONNECT gets', 'CONNECT host:443 HTTP/1.1\r\nHost: host:443', 501],
])('%s a problem', async (_what, sent, status) => {
  const { port } = new URL(flowApi.address)
  const socket = connect(Number(port), '127.0.0.1')
  socket.end(`${sent}\r\n\r\n`)
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n')
  expect(head).toContain(`HTTP/1.1 ${status} `)
  expect(head).toContain(`Content-Type: ${problemType}`)
  expect(problem.strict().parse(JSON.parse(body))).toMatchObject({ status, code: 'InvalidRequest' })
})

test.each([
  ['without Host', 400, 'X-Any: 1'],
  ['with two Hosts', 400, 'Host: test\r\nHost: other'],
  ['with an unknown expectation', 417, 'Host: test\r\nExpect: the-unexpected'],
])('a request %s gets a problem', async (_what, status, header) => {
  const { port } = new URL(flowApi.address)
  const socket = connect(Number(port), '127.0.0.1')
  socket.write(`GET /health/live HTTP/1.1\r\nConnection: close\r\n${header}\r\n\r\n`)
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n')
  expect(head).toContain(`HTTP/1.1 ${status} `)
  expect(head.toLowerCase()).toContain(`content-type: ${problemType}`)
  expect(problem.strict().parse(JSON.parse(body))).toMatchObject({ status, code: 'InvalidRequest' })
})
