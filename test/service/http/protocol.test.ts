import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operations } from '#contract'
import { startTestService, type TestService } from '../../support/service/testService.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

const stock = {
  PupUid: 'pup-1',
  AllowLargerLockers: true,
  AllowOverflowLockers: false,
  Dimension: { width: 10, height: 10, length: 10 },
}

describe('casing', () => {
  test('requests are accepted in any casing, at every depth', async () => {
    const { status, body } = await service.call('CreateLocalShipmentAsStock', {
      pupuid: 'pup-1',
      allowLargerLockers: true,
      ALLOWOVERFLOWLOCKERS: false,
      dimension: { Width: 10, HEIGHT: 10, length: 10 },
      details: { referenceno: 'R-1' },
    })
    expect({ status, error: body.error }).toEqual({ status: 200, error: null })
    const { body: found } = await service.call('GetShipments', { PAGENO: 1 })
    expect(found.items).toMatchObject([{ referenceNo: 'R-1' }])
  })

  test('two keys that differ only in casing are refused, at every depth', async () => {
    const clashes = { ...stock, pupUid: 'pup-2', Dimension: { ...stock.Dimension, Width: 11 } }
    const { status, body } = await service.call('CreateLocalShipmentAsStock', clashes)
    expect(status).toBe(400)
    expect(body).toMatchObject({ success: false, error: 'InvalidRequest' })
    expect(body.message).toContain('PupUid is given twice')
    expect(body.message).toContain('Dimension.width is given twice')
  })

  test('unknown keys are ignored', async () => {
    expect((await service.call('GetPickUpPoints', { colour: 'red', __proto__: null })).status).toBe(200)
  })
})

describe('the envelope (SPEC-35)', () => {
  test('comes last, with fields as the specification spells them', async () => {
    const { text } = await service.call('CreateLocalShipmentAsStock', stock)
    expect(text).toMatch(/^\{"shipmentUids":\["[^"]+"\],"success":true,"error":null,"message":null\}$/)
  })

  test('of a refusal has status 200', async () => {
    const { status, body } = await service.call('CancelShipment', { shipmentUid: 'nothing' })
    expect(status).toBe(200)
    expect(body).toEqual({ success: false, error: 'InvalidShipment', message: expect.any(String) })
  })
})

describe('the request id', () => {
  test.each([
    ['taken over when it is sane', 'order-17:a.b_c', 'order-17:a.b_c'],
    ['made when it is too long', 'x'.repeat(101), expect.stringMatching(/^[0-9a-f-]{36}$/)],
    ['made when logs could not carry it', 'a b"c', expect.stringMatching(/^[0-9a-f-]{36}$/)],
  ])('is %s', async (_name, given, expected) => {
    const { headers } = await service.call('GetPickUpPoints', {}, { headers: { 'x-request-id': given } })
    expect(headers.get('x-request-id')).toEqual(expected)
  })
})

describe('the OpenAPI document', () => {
  const pathsOf = async (of: TestService) => Object.keys(Object((await of.send('/openapi.json')).body.paths))

  const isOperation = (path: string) => path.startsWith('/v1/')

  test('lists every operation, and every listed operation exists (SPEC-31)', async () => {
    const paths = await pathsOf(service)
    expect(paths).toContain(operations.SimulateLockerAccess.path)
    for (const path of paths.filter(isOperation))
      expect((await service.send(path, { method: 'POST' })).status).toBe(401)
  })

  test('declares the statuses of a request that no route accepts or that is late, everywhere', async () => {
    const { paths } = (await service.send('/openapi.json')).body as unknown as {
      readonly paths: Record<string, Record<string, { readonly responses: object }>>
    }
    const documented = Object.values(paths).flatMap(item => Object.values(item))
    expect(documented.length).toBeGreaterThan(20)
    for (const { responses } of documented)
      expect(Object.keys(responses)).toEqual(expect.arrayContaining(['408', '417', '431', '501']))
  })

  test('has no simulation in production, where the operation is unknown (SPEC-57)', async () => {
    const production = await startTestService({ environment: 'production', allowPrivateNetworks: false })
    try {
      expect(await pathsOf(production)).not.toContain(operations.SimulateLockerAccess.path)
      const { status, body } = await production.call('SimulateLockerAccess', {})
      expect({ status, error: body.error }).toEqual({ status: 404, error: 'UnknownOperation' })
    } finally {
      await production.stop()
    }
  })
})

test.each(['/health/live', '/health/ready'])('%s responds without a token', async path => {
  const response = async () => {
    const { status, body } = await service.send(path)
    return { status, ...body }
  }
  await expect.poll(response).toMatchObject({ status: 200, success: true, error: null, message: null })
})
