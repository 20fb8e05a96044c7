import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestService } from '../../../support/service/testService.ts'

let service: TestService

beforeAll(async () => {
  service = await startTestService({ environment: 'production', allowPrivateNetworks: false })
})

afterAll(() => service.stop())

const page = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${service.port}${path}`, init)

const files = [
  ['/docs', 'text/html; charset=utf-8'],
  ['/docs/start.js', 'text/javascript; charset=utf-8'],
  ['/docs/reference.js', 'text/javascript; charset=utf-8'],
] as const

describe.each(files)('%s', (path, type) => {
  test('is served without a token, in production too', async () => {
    const { status, headers } = await page(path)
    expect({ status, type: headers.get('content-type') }).toEqual({ status: 200, type })
    expect(headers.get('x-request-id')).toBeTruthy()
  })

  test('allows no other origin, and no inline script', async () => {
    const policy = (await page(path)).headers.get('content-security-policy') ?? ''
    const directives = new Map(
      policy.split('; ').map(directive => {
        const [name = '', ...sources] = directive.split(' ')
        return [name, sources] as const
      }),
    )
    expect(directives.get('default-src')).toEqual(["'self'"])
    expect(directives.get('script-src')).toEqual(["'self'"])
    expect(directives.get('connect-src')).toEqual(["'self'"])
    const allowed = ["'self'", "'none'", 'data:', "'unsafe-inline'"]
    expect([...directives.values()].flat().filter(source => !allowed.includes(source))).toEqual([])
    const inline = [...directives].filter(([, sources]) => sources.includes("'unsafe-inline'"))
    expect(inline.map(([name]) => name)).toEqual(['style-src'])
  })

  test('is sent again only when it has changed', async () => {
    const tag = (await page(path)).headers.get('etag') ?? ''
    const again = await page(path, { headers: { 'if-none-match': tag } })
    expect({ status: again.status, body: await again.text() }).toEqual({ status: 304, body: '' })
    expect((await page(path, { headers: { 'if-none-match': '"old"' } })).status).toBe(200)
  })

  test('is the same with and without compression', async () => {
    const plain = await page(path, { headers: { 'accept-encoding': 'identity' } })
    const zipped = await page(path, { headers: { 'accept-encoding': 'gzip' } })
    expect([plain.headers.get('content-encoding'), zipped.headers.get('content-encoding')]).toEqual([null, 'gzip'])
    expect(await plain.text()).toBe(await zipped.text())
  })

  test('accepts GET only', async () => {
    const response = await page(path, { method: 'POST' })
    expect(response.headers.get('allow')).toBe('GET, HEAD')
    expect({ status: response.status, body: await response.json() }).toEqual({
      status: 405,
      body: { success: false, error: 'MethodNotAllowed', message: expect.any(String) },
    })
  })
})

test('the page loads its scripts from the service, and names no other origin', async () => {
  const text = await (await page('/docs')).text()
  const scripts = [...text.matchAll(/<script src="([^"]*)">/g)].map(([, source]) => `/${source}`)
  expect(scripts.toSorted()).toEqual(
    files
      .map(([path]) => path)
      .filter(path => path.endsWith('.js'))
      .toSorted(),
  )
  expect(text.match(/<script(?! src=)/g)).toBeNull()
  expect(text + (await (await page('/docs/start.js')).text())).not.toMatch(/https?:/)
})

test('features that contact other origins are switched off', async () => {
  const start = await (await page('/docs/start.js')).text()
  for (const off of [
    '"withDefaultFonts":false',
    '"telemetry":false',
    '"proxyUrl":""',
    '"agent":{"disabled":true}',
    '"mcp":{"disabled":true}',
  ]) {
    expect(start).toContain(off)
  }
})

test.each(['/docs/', '/docs/none.js', '/reference', '/docs/openapi.json'])('%s is an unknown operation', async path => {
  const { status, body } = await service.send(path)
  expect({ status, error: body.error }).toEqual({ status: 404, error: 'UnknownOperation' })
})

test('a stopping service reports that here too', async () => {
  const stopping = await startTestService({ drainDelay: 2_000 })
  // A connection that is there already.
  await stopping.send('/health/live')
  const stopped = stopping.stop()
  const { status, body } = await stopping.send('/docs')
  expect({ status, error: body.error }).toEqual({ status: 503, error: 'Unavailable' })
  await stopped
})
