import dns from 'node:dns'
import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createActivities } from '#activities'
import { type ApiSettings, createApi } from '#contract/client'
import { fullProfile } from '#contract/terms'
import { json, noResponse, type Reply, raw, reset, startStandIn } from '../support/servers/apiStandIn.ts'
import { createCertificate } from '../support/servers/certificate.ts'
import { inContext, useActivities } from '../support/world/useActivities.ts'

// Temporal's Web UI shows the message of a failed activity. An operator learns from it where a request failed.

const world = useActivities()

/** The failure of a read at a service with these settings. */
async function failureOf(settings: Partial<ApiSettings>): Promise<unknown> {
  const api = createApi({ ...world.apiSettings, readRetries: 0, ...settings })
  onTestFinished(() => api.close())
  const pollInterval = { initial: 1_000, maximum: 1_000 }
  const activities = inContext(createActivities(api, { profile: fullProfile, pollInterval }))
  return activities.readShipments({ shipmentUids: ['S1'] }).then(
    () => undefined,
    (failure: unknown) => failure,
  )
}

function expectMessage(type: string, message: RegExp) {
  return { type, message: expect.stringMatching(message) }
}

const responses: Record<string, [reply: Reply, type: string, message: RegExp]> = {
  "a proxy's page": [raw(502, '<h1>Robin</h1>'), 'InternalError', / \(GetShipments: HTTP 502\) See /],
  'a redirect': [raw(302, '', { location: '/login' }), 'MalformedResponse', / \(GetShipments: HTTP 302\) See /],
  'a code of its own': [
    json(500, { success: false, error: 'DbDown', message: 'Robin' }),
    'DbDown',
    /^The service returned the code DbDown\. \(GetShipments: HTTP 500\)$/,
  ],
  'a reset connection': [reset, 'NoResponse', / \(GetShipments: read ECONNRESET\) See /],
}

test.for(Object.entries(responses))('a failure names %s', async ([, [reply, type, message]]) => {
  const standIn = await startStandIn()
  onTestFinished(() => standIn.stop())
  standIn.operation = reply
  expect(await failureOf({ baseUrl: standIn.url })).toMatchObject(expectMessage(type, message))
})

test('a failure names the time without a response', async () => {
  const standIn = await startStandIn()
  onTestFinished(() => standIn.stop())
  standIn.operation = noResponse
  expect(await failureOf({ baseUrl: standIn.url, timeouts: { read: 100 } })).toMatchObject(
    expectMessage('NoResponse', / \(GetShipments: no response within 100 ms\) See /),
  )
})

test('a failure names an address that does not exist', async () => {
  expect(await failureOf({ baseUrl: 'http://lockers.invalid' })).toMatchObject(
    expectMessage('ServiceUnreachable', / \(GetShipments: getaddrinfo \w+ lockers\.invalid\) See /),
  )
})

test('a failure names a certificate that the worker does not trust', async () => {
  const { certificate, key } = createCertificate('127.0.0.1')
  const server = createServer({ cert: certificate, key }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  expect(await failureOf({ baseUrl: `https://127.0.0.1:${port}` })).toMatchObject(
    expectMessage('ServiceUnreachable', / \(GetShipments: self-signed certificate\b.*\) See /),
  )
})

describe('a host with several addresses', () => {
  test.each(['baseUrl', 'authUrl'] as const)('of %s that all refuse: a failure names each', async setting => {
    const standIn = await startStandIn()
    onTestFinished(() => standIn.stop())
    const { port } = new URL(standIn.url)
    const { lookup } = dns
    // The stand-in has its port at 127.0.0.1 alone.
    const [one, other] = [
      { address: '127.0.0.2', family: 4 },
      { address: '127.0.0.3', family: 4 },
    ] as const
    const found = (host: string, options: object, done: (...found: unknown[]) => void) =>
      host === 'lockers.example' ? process.nextTick(done, null, [one, other]) : lookup(host, options, done)
    vi.spyOn(dns, 'lookup').mockImplementation(found as never)
    onTestFinished(() => void vi.restoreAllMocks())
    const refused = `connect ECONNREFUSED ${one.address}:${port}; connect ECONNREFUSED ${other.address}:${port}`
    expect(await failureOf({ [setting]: `http://lockers.example:${port}` })).toMatchObject({
      message: expect.stringContaining(refused),
    })
  })
})
