import { describe, expect } from 'vitest'
import { type WeakScheme, weakSignature } from '#contract'
import { fullProfile } from '#contract/terms'
import { bodyOf, keys, post, privateText, signed, test } from './fixture.ts'

const minutes = (count: number) => Math.floor(Date.now() / 1_000) + count * 60
const weak = { ...fullProfile, standardWebhooks: false }

const forgeries: Record<string, { why: string; headers: (body: string) => Record<string, string> }> = {
  'wrong secret': {
    why: 'signature does not match',
    headers: body => signed(body, { by: ['a-guessed-key-of-nobody'] }),
  },
  'no header': { why: 'missing header', headers: () => ({}) },
  "another tenant's secret": {
    why: 'signature does not match',
    headers: body => signed(body, { by: ['the-key-of-another-tenant'] }),
  },
  'changed body': {
    why: 'signature does not match',
    headers: body => signed(body.replace('ReadyForPickup', 'Completed')),
  },
  'old time': { why: 'timestamp too old', headers: body => signed(body, { at: minutes(-16) }) },
  'time to come': { why: 'timestamp in the future', headers: body => signed(body, { at: minutes(16) }) },
  'old signature under a new time': {
    why: 'signature does not match',
    headers: body => ({ ...signed(body, { at: minutes(-16) }), 'webhook-timestamp': String(minutes(0)) }),
  },
  'signature under another id': {
    why: 'signature does not match',
    headers: body => ({ ...signed(body), 'webhook-id': 'msg-2' }),
  },
  'weak signature alone': { why: 'missing header', headers: () => ({ 'x-hmac': weakSignature(keys.current, 'S1') }) },
  'hash of another shipment': {
    why: 'weak signature does not match',
    headers: body => ({ ...signed(body), 'x-hmac': weakSignature(keys.current, 'S2') }),
  },
}

describe('a forged callback is refused and signals nothing', () => {
  for (const [name, { headers, why }] of Object.entries(forgeries)) {
    test(name, async ({ gateway, flow, lines }) => {
      const body = bodyOf(flow.caseNo)
      const response = await post(gateway, body, headers(body))
      expect(response.status).toBe(401)
      expect(await response.text()).not.toContain(why)
      expect(gateway.counts).toMatchObject({ forged: 1, signalled: 0 })
      expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ outcome: 'forged', why, level: 40 })
      expect(await flow.signals()).toEqual([])
      expect(lines.join('')).not.toMatch(new RegExp(`${privateText}|${keys.current}|${keys.previous}`))
    })
  }
})

describe('a genuine callback is taken', () => {
  const genuine: Record<string, (body: string) => Record<string, string>> = {
    'by the current key': body => signed(body),
    'by the previous key': body => signed(body, { by: [keys.previous] }),
    'by both keys while the sender rotates': body => signed(body, { by: ['a-newer-key-than-ours', keys.current] }),
    'with the weak signature too': body => ({ ...signed(body), 'x-hmac': weakSignature(keys.current, 'S1') }),
    'by a clock ten minutes behind': body => signed(body, { at: minutes(-10) }),
    'by a clock ten minutes ahead': body => signed(body, { at: minutes(10) }),
  }
  for (const [name, headers] of Object.entries(genuine)) {
    test(name, async ({ gateway, flow }) => {
      const body = bodyOf(flow.caseNo)
      expect((await post(gateway, body, headers(body))).status).toBe(204)
      expect(await flow.signals()).toHaveLength(1)
    })
  }

  test('the previous key is worth nothing once it is forgotten', async ({ open, flow }) => {
    const gateway = await open({ keys: { current: keys.current } })
    const body = bodyOf(flow.caseNo)
    expect((await post(gateway, body, signed(body, { by: [keys.previous] }))).status).toBe(401)
  })
})

describe('a service without Standard Webhooks', () => {
  const scheme: WeakScheme = { header: 'X-Signature', algorithm: 'sha512', encoding: 'base64' }
  const rows: [string, number, Record<string, string>][] = [
    ['its signature', 204, { 'x-signature': weakSignature(keys.current, 'S1', scheme) }],
    ['its signature by the previous key', 204, { 'x-signature': weakSignature(keys.previous, 'S1', scheme) }],
    ['its API key', 204, { 'x-api-key': keys.current }],
    ['no header', 401, {}],
    ['wrong secret', 401, { 'x-signature': weakSignature('a-guessed-key-of-nobody', 'S1', scheme) }],
    ['hash of another shipment', 401, { 'x-signature': weakSignature(keys.current, 'S2', scheme) }],
    ['another algorithm', 401, { 'x-signature': weakSignature(keys.current, 'S1') }],
    ['the header of the default scheme', 401, { 'x-hmac': weakSignature(keys.current, 'S1') }],
    ['a wrong API key', 401, { 'x-api-key': 'a-guessed-key-of-nobody' }],
    [
      'a wrong signature beside the API key',
      401,
      { 'x-api-key': keys.current, 'x-signature': weakSignature(keys.current, 'S2', scheme) },
    ],
  ]
  for (const [name, status, headers] of rows) {
    test(`${name}: ${status}`, async ({ open, flow }) => {
      const gateway = await open({ profile: weak, weakScheme: scheme })
      expect((await post(gateway, bodyOf(flow.caseNo), headers)).status).toBe(status)
      expect(await flow.signals()).toHaveLength(status === 204 ? 1 : 0)
    })
  }

  test('cannot have signed what names no shipment', async ({ open }) => {
    const gateway = await open({ profile: weak, weakScheme: scheme })
    const headers = { 'x-signature': weakSignature(keys.current, '', scheme) }
    expect((await post(gateway, 'not JSON', headers)).status).toBe(401)
  })
})
