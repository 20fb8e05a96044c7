import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { commonHeaders, documentPath, failed, pagePath } from '#contract'
import { startTestService, type TestService } from '../../support/service/testService.ts'

const start = { production: { environment: 'production', publicUrl: 'https://lockers.example' }, staging: {} } as const

describe.each(['production', 'staging'] as const)('in %s', environment => {
  let service: TestService
  beforeAll(async () => {
    service = await startTestService(start[environment])
  })
  afterAll(() => service.stop())

  const strictTransport = environment === 'production' ? 'max-age=31536000' : null

  test.each([
    ['a success', 200, () => service.call('GetPickUpPoints', {})],
    ['a refusal', 200, () => service.call('CancelShipment', { shipmentUid: 'nothing' })],
    ['a request without a token', 401, () => service.call('GetPickUpPoints', {}, { token: null })],
    ['an unknown path', 404, () => service.send('/nowhere')],
    ['a path that cannot be parsed', 404, () => service.send('/%zz')],
    ['a health check', 200, () => service.send('/health/ready')],
    ['the public keys', 200, () => service.send('/.well-known/jwks.json')],
    [
      'a token',
      200,
      () => service.signIn({ grant_type: 'client_credentials', client_id: 'acme', client_secret: 'acme-secret' }),
    ],
    [
      'a refused token',
      401,
      () => service.signIn({ grant_type: 'client_credentials', client_id: 'acme', client_secret: 'x' }),
    ],
    ['the document', 200, () => service.send(documentPath)],
  ])('%s is not stored, and has a fixed type', async (_, status, send) => {
    // A health check of a busy machine can take longer than its limit.
    const response = await vi.waitFor(async () => {
      const response = await send()
      expect(response.status).toBe(status)
      return response
    })
    expect(Object.fromEntries(response.headers)).toMatchObject(commonHeaders)
    expect(response.headers.get('strict-transport-security')).toBe(strictTransport)
    for (const name of ['server', 'x-powered-by']) expect(response.headers.has(name)).toBe(false)
  })

  test('the page has a fixed type, and is stored', async () => {
    const { headers } = await fetch(`http://127.0.0.1:${service.port}${pagePath}`)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('cache-control')).toBe('no-cache')
    expect(headers.get('strict-transport-security')).toBe(strictTransport)
  })

  test('bytes that are not HTTP get both headers too', async () => {
    const text = await new Promise<string>((resolve, reject) => {
      let received = ''
      const socket = connect(service.port, '127.0.0.1', () => socket.write('no http\r\n\r\n'))
      socket.setEncoding('utf8').on('data', data => {
        received += data
      })
      socket.on('close', () => resolve(received)).on('error', reject)
    })
    for (const [name, value] of Object.entries(commonHeaders)) expect(text).toContain(`${name}: ${value}\r\n`)
  })
})

test('an address without TLS has no strict transport in production either', async () => {
  const service = await startTestService({ environment: 'production', publicUrl: 'http://lockers.example' })
  expect((await service.send('/health/live')).headers.has('strict-transport-security')).toBe(false)
  await service.stop()
})

test('the document and the page can be closed', async () => {
  const service = await startTestService({ apiDocs: false })
  for (const path of [documentPath, pagePath, `${pagePath}/start.js`]) {
    const { status, body } = await service.send(path)
    expect({ status, body }).toEqual({
      status: 404,
      body: failed('UnknownOperation', 'There is no operation at this path.'),
    })
  }
  await expect.poll(async () => (await service.send('/health/ready')).status).toBe(200)
  await service.stop()
})
