import { expect } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { held, json, raw, startStandIn, success } from '../support/servers/apiStandIn.ts'
import { holdPort } from '../support/servers/heldPort.ts'
import { bodyOf, keys, missingOf, post, test } from '../support/world/gatewayTest.ts'

const accepted = json(200, { ...success, authKey: null, changed: true })

test('registers the address and the key once', async ({ gateway, service }) => {
  const told = service.at('/v1/Platform/ConfigureCallback').map(({ text }) => JSON.parse(text))
  const url = `${gateway.address}/callbacks`
  expect(told).toEqual([{ url, authType: 'HMAC', authKey: keys.current, resetKey: true }])
})

test('registers a configured address instead of the one it listens on', async ({ open, service }) => {
  await (await open({ url: 'https://gateway.example/lockerflow/' })).ready
  expect(service.at('ConfigureCallback')[0]?.text).toContain('"https://gateway.example/lockerflow/callbacks"')
})

test('listens before it registers, and is ready afterwards', async ({ open, service, flow }) => {
  const told = held(accepted)
  service.operation = told.reply
  const gateway = await open()
  await told.arrived
  expect((await post(gateway, bodyOf(flow.caseNo))).status).toBe(204)
  expect(await missingOf(gateway)).toEqual(['registration'])
  told.release()
  await gateway.ready
  expect(await missingOf(gateway)).toEqual([])
})

test('is ready without a registration where a person registers the address, and logs that address', async ({
  open,
  service,
  lines,
  flow,
}) => {
  service.operation = json(404, { success: false, error: null, message: 'no such operation' })
  const gateway = await open({ registers: false })
  await gateway.ready
  expect(await missingOf(gateway)).toEqual([])
  expect((await post(gateway, bodyOf(flow.caseNo))).status).toBe(204)
  expect(service.at('ConfigureCallback')).toEqual([])
  expect(lines.join('')).toContain(`${gateway.address}/callbacks`)
})

test('a service without ConfigureCallback is told apart: the log names the setting', async ({
  open,
  service,
  lines,
}) => {
  const asked = held(json(404, { success: false, error: null, message: 'no such operation' }))
  service.operation = asked.reply
  await open()
  await asked.arrived
  asked.release()
  await eventually(() => lines.join('').includes('LOCKERFLOW_CALLBACK_REGISTRATION'))
})

test('registers once a late service is up', async ({ open, flow }) => {
  const absent = await startStandIn()
  await absent.stop()
  const port = Number(new URL(absent.url).port)
  const refused = await holdPort(port)
  const api = { baseUrl: absent.url, authUrl: absent.url, clientId: 'acme', clientSecret: 'acme-secret' }
  const gateway = await open({ api })
  expect((await post(gateway, bodyOf(flow.caseNo))).status).toBe(204)
  expect(await missingOf(gateway)).toEqual(['registration'])
  const late = await startStandIn(port)
  refused.release()
  late.operation = accepted
  await gateway.ready
  expect(late.at('ConfigureCallback')).toHaveLength(1)
  await late.stop()
})

test.for([
  ['years', '999999999'],
  ['a day', '86400'],
  ['the year 9999', 'Fri, 31 Dec 9999 23:59:59 GMT'],
] as const)('a Retry-After of %s is cut to a minute', async ([, retryAfter], { open, service, lines }) => {
  service.operation = raw(503, '', { 'retry-after': retryAfter })
  await open()
  const logged = await eventually(() => lines.find(line => line.includes('registration-failed')))
  expect(JSON.parse(logged)).toMatchObject({ retryInMs: 60_000 })
})

test('a refusal, a fault and a foreign key are retried, and the key is never logged', async ({
  open,
  service,
  lines,
}) => {
  const replies = [
    json(200, { success: false, error: 'InvalidCallbackUrl', message: 'not this one' }),
    raw(503, ''),
    json(200, { ...success, authKey: 'a-key-that-the-service-made', changed: true }),
  ]
  service.operation = (response, seen, earlier) => (replies[earlier] ?? accepted)(response, seen, earlier)
  await (await open()).ready
  expect(service.at('ConfigureCallback')).toHaveLength(4)
  expect(lines.join('')).toContain('InvalidCallbackUrl')
  expect(lines.join('')).not.toMatch(new RegExp(`${keys.current}|a-key-that-the-service-made|acme-secret`))
})
