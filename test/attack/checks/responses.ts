import { doesNotMatch, equal, match } from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import { describe, test } from 'vitest'
import { requestToken } from '../dispatcher.ts'
import { type HttpResponse, send } from '../http.ts'
import { operationNames, pathOf } from '../operations.ts'
import { expectEnvelope, expectRefused, type Scene } from '../scene.ts'

/** Paths that lead out of the served ones. */
const paths = [
  '/.env',
  '/.git/config',
  '/package.json',
  '/topology.yaml',
  '/metrics',
  '/docs/../package.json',
  '/docs/..%2f..%2fpackage.json',
  '/docs/%2e%2e/%2e%2e/package.json',
  '/docs/....//package.json',
  '/docs/js/..%5c..%5cpackage.json',
  '//etc/passwd',
  '/v1/Logistics/%00',
  '/v1/Logistics/GetShipments/../../../etc/passwd',
  '/v1/Logistics/constructor',
  '/v1/Logistics/__proto__',
  '/%',
  '/%ff',
]

/** Details that an error must not reveal: frames of a stack, files, SQL, the names of libraries. */
const internals = /\bat .+:\d+:\d+|node_modules|\.ts\b|select .+ from|SQLITE|postgres|kysely|fastify|zod/i

/** Registers the checks on what responses reveal. */
export function responseChecks(scene: () => Scene): void {
  test.each(paths)('GET %s reveals nothing', async path => {
    const { target } = scene()
    const response = await send(target.baseUrl, { method: 'GET', path })
    equal([400, 404, 405].includes(response.status), true, `${response.status} ${response.text.slice(0, 200)}`)
    expectEnvelope(response)
    doesNotMatch(response.text, internals)
  })

  test.each(['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'HEAD'])('%s runs no operation', async method => {
    const { target, attacker } = scene()
    for (const name of operationNames) {
      const headers = { authorization: `Bearer ${attacker.token}`, origin: 'https://evil.example' }
      const response = await send(target.baseUrl, { method, path: pathOf(name), headers })
      equal([404, 405].includes(response.status), true, `${name}: ${response.status}`)
      equal(response.headers['access-control-allow-origin'], undefined)
    }
  })

  describe('the headers of a response', () => {
    test('name no software and allow no other site', async () => {
      const { attacker } = scene()
      const { headers } = await attacker.call('GetPickUpPoints', {}, { headers: { origin: 'https://evil.example' } })
      for (const name of ['server', 'x-powered-by', 'via', 'access-control-allow-origin'])
        equal(headers[name], undefined)
      match(String(headers['content-type']), /^application\/json/)
    })

    test('forbid guessing the type and storing the body', async () => {
      const { attacker, target } = scene()
      const responses = [
        await attacker.call('GetPickUpPoints', {}),
        await attacker.call('GetShipmentAccessCode', { shipmentUid: scene().own.shipment }),
        await attacker.call('GetPickUpPoints', {}, { authorization: null }),
        await requestToken(target, { client_id: 'x', client_secret: 'y' }),
      ]
      for (const { headers } of responses) {
        equal(headers['x-content-type-options'], 'nosniff')
        match(String(headers['cache-control']), /no-store/)
      }
    })

    test('repeat no request id with unusual characters', async () => {
      const { attacker } = scene()
      for (const id of ['a b', '<script>', 'a'.repeat(500), 'a;b=c', 'ä']) {
        const { headers } = await attacker.call('GetPickUpPoints', {}, { headers: { 'x-request-id': id } })
        equal(Object.values(headers).flat().includes(id), false)
      }
    })
  })

  test('errors reveal no internals', async () => {
    const { attacker } = scene()
    const bodies = ['{', '{"pageNo":{}}', '{"shipmentUid":1}', '{"Dimension":[]}']
    for (const name of operationNames) {
      for (const body of bodies) doesNotMatch((await attacker.post(pathOf(name), body)).text, internals)
    }
  })

  test('the health pages reveal no version and no address', async () => {
    const { target } = scene()
    for (const path of ['/health/live', '/health/ready']) {
      let response: HttpResponse
      // A busy service is not ready for a moment.
      for (let attempt = 0; ; attempt++) {
        response = await send(target.baseUrl, { method: 'GET', path })
        doesNotMatch(response.text, /\d+\.\d+|file:|postgres/)
        if (response.status !== 503 || attempt === 60) break
        await setTimeout(1_000)
      }
      equal(response.status, 200)
    }
  })

  test('production has no simulation: its operations are unknown', async () => {
    const { attacker, own, target } = scene()
    if (target.mode !== 'production') return
    const simulated = await attacker.call('SimulateLockerAccess', {
      pupUid: own.pickUpPoint,
      lockerName: own.lockerName,
      pinCode: own.code,
    })
    expectRefused(simulated, 404, 'UnknownOperation')
    expectRefused(await attacker.post(pathOf('SetSandboxFaults'), '{}'), 404, 'UnknownOperation')
    const unknown = await attacker.post('/v1/Logistics/NoSuchOperation', '{}')
    equal(simulated.json.message, unknown.json.message)
  })
}
