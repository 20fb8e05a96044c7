import { describe, expect } from 'vitest'
import { defaultUidSignatureScheme, type UidSignatureScheme, uidSignature } from '#contract'
import { fullProfile } from '#contract/terms'
import { signatureFault } from '../support/signatureFault.ts'
import { bodyOf, keys, post, privateText, signed, test } from '../support/world/gatewayTest.ts'

const minutes = (count: number) => Math.floor(Date.now() / 1_000) + count * 60
const uidSignatureOnly = { ...fullProfile, standardWebhooks: false }

const forgeries: Record<string, { reason: string; headers: (body: string) => Record<string, string> }> = {
  'wrong secret': {
    reason: 'signature does not match',
    headers: body => signed(body, { by: ['a-guessed-key'] }),
  },
  'no header': { reason: 'missing header', headers: () => ({}) },
  "another tenant's secret": {
    reason: 'signature does not match',
    headers: body => signed(body, { by: ['the-key-of-another-tenant'] }),
  },
  'changed body': {
    reason: 'signature does not match',
    headers: body => signed(body.replace('ReadyForPickup', 'Completed')),
  },
  'old time': { reason: 'timestamp too old', headers: body => signed(body, { at: minutes(-16) }) },
  'future time': { reason: 'timestamp in the future', headers: body => signed(body, { at: minutes(16) }) },
  'old signature under a new time': {
    reason: 'signature does not match',
    headers: body => ({ ...signed(body, { at: minutes(-16) }), 'webhook-timestamp': String(minutes(0)) }),
  },
  'signature under another id': {
    reason: 'signature does not match',
    headers: body => ({ ...signed(body), 'webhook-id': 'msg-2' }),
  },
  'uid signature alone': { reason: 'missing header', headers: () => ({ 'x-hmac': uidSignature(keys.current, 'S1') }) },
  'hash of another shipment': {
    reason: 'uid signature does not match',
    headers: body => ({ ...signed(body), 'x-hmac': uidSignature(keys.current, 'S2') }),
  },
}

const genuine: Record<string, (body: string) => Record<string, string>> = {
  'by the current key': body => signed(body),
  'by the previous key': body => signed(body, { by: [keys.previous] }),
  'by both keys while the sender rotates': body => signed(body, { by: ['a-newer-key-than-ours', keys.current] }),
  'with the uid signature too': body => ({ ...signed(body), 'x-hmac': uidSignature(keys.current, 'S1') }),
  'by a clock ten minutes behind': body => signed(body, { at: minutes(-10) }),
  'by a clock ten minutes ahead': body => signed(body, { at: minutes(10) }),
}

const scheme: UidSignatureScheme = { header: 'X-Signature', algorithm: 'sha512', encoding: 'base64' }

/** Headers of a service without Standard Webhooks, with the fault; undefined for a valid signature. */
const uidSigned: [name: string, fault: string | undefined, headers: Record<string, string>][] = [
  ['its signature', undefined, { 'x-signature': uidSignature(keys.current, 'S1', scheme) }],
  ['its signature by the previous key', undefined, { 'x-signature': uidSignature(keys.previous, 'S1', scheme) }],
  ['its API key', undefined, { 'x-api-key': keys.current }],
  ['no header', 'missing header', {}],
  ['wrong secret', 'uid signature does not match', { 'x-signature': uidSignature('a-guessed-key', 'S1', scheme) }],
  [
    'hash of another shipment',
    'uid signature does not match',
    { 'x-signature': uidSignature(keys.current, 'S2', scheme) },
  ],
  ['another algorithm', 'uid signature does not match', { 'x-signature': uidSignature(keys.current, 'S1') }],
  ['the header of the default scheme', 'missing header', { 'x-hmac': uidSignature(keys.current, 'S1') }],
  ['a wrong API key', 'wrong API key', { 'x-api-key': 'a-guessed-key' }],
  [
    'a wrong signature beside the API key',
    'uid signature does not match',
    { 'x-api-key': keys.current, 'x-signature': uidSignature(keys.current, 'S2', scheme) },
  ],
]

describe('the fault of a signature', () => {
  const body = bodyOf('I-1')
  const strong = { keys: Object.values(keys), uidSignatureScheme: defaultUidSignatureScheme, standardWebhooks: true }
  const uidOnly = { ...strong, uidSignatureScheme: scheme, standardWebhooks: false }
  const now = minutes(0)

  test.each(Object.entries(forgeries))('%s', (_, { headers, reason }) => {
    expect(signatureFault(strong, headers(body), body, 'S1', now)).toBe(reason)
  })

  test.each(Object.entries(genuine))('is absent: signed %s', (_, headers) => {
    expect(signatureFault(strong, headers(body), body, 'S1', now)).toBeUndefined()
  })

  test.each(uidSigned)('without Standard Webhooks: %s: %s', (_, fault, headers) => {
    expect(signatureFault(uidOnly, headers, body, 'S1', now)).toBe(fault)
  })

  test.each([
    ['a timestamp that is not a number', { 'webhook-timestamp': 'today' }, 'malformed timestamp'],
    ['a negative timestamp', { 'webhook-timestamp': '-1' }, 'malformed timestamp'],
    ['no id', { 'webhook-id': undefined }, 'missing header'],
    ['a header twice', { 'webhook-id': ['msg-1', 'msg-1'] }, 'missing header'],
    ['another version of the signature', { 'webhook-signature': 'v1a,AAAA' }, 'signature does not match'],
  ])('%s', (_, changed, fault) => {
    expect(signatureFault(strong, { ...signed(body), ...changed }, body, 'S1', now)).toBe(fault)
  })

  test('a uid signature of a body without a shipment', () => {
    const headers = { 'x-signature': uidSignature(keys.current, '', scheme) }
    expect(signatureFault(uidOnly, headers, body, undefined, now)).toBe('no shipmentUid for the uid signature')
  })

  test('is absent: a uid signature beside that of a body without a shipment', () => {
    const headers = { ...signed(body), 'x-hmac': uidSignature(keys.current, 'S1') }
    expect(signatureFault(strong, headers, body, undefined, now)).toBeUndefined()
  })
})

describe('a forged callback is refused and signals nothing', () => {
  for (const [name, { headers, reason }] of Object.entries(forgeries)) {
    test(name, async ({ gateway, flow, lines }) => {
      const body = bodyOf(flow.caseNo)
      const response = await post(gateway, body, headers(body))
      expect(response.status).toBe(401)
      expect(await response.text()).not.toContain(reason)
      expect(gateway.counts).toMatchObject({ invalidSignature: 1, signalled: 0 })
      expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ outcome: 'invalidSignature', reason, level: 40 })
      expect(await flow.signals()).toEqual([])
      expect(lines.join('')).not.toMatch(new RegExp(`${privateText}|${keys.current}|${keys.previous}`))
    })
  }
})

describe('a genuine callback is accepted', () => {
  for (const [name, headers] of Object.entries(genuine)) {
    test(name, async ({ gateway, flow }) => {
      const body = bodyOf(flow.caseNo)
      expect((await post(gateway, body, headers(body))).status).toBe(204)
      expect(await flow.signals()).toHaveLength(1)
    })
  }

  test('the previous key is rejected once it is removed', async ({ open, flow }) => {
    const gateway = await open({ keys: { current: keys.current } })
    const body = bodyOf(flow.caseNo)
    expect((await post(gateway, body, signed(body, { by: [keys.previous] }))).status).toBe(401)
  })
})

describe('a service without Standard Webhooks', () => {
  for (const [name, fault, headers] of uidSigned) {
    const status = fault === undefined ? 204 : 401
    test(`${name}: ${status}`, async ({ open, flow }) => {
      const gateway = await open({ profile: uidSignatureOnly, uidSignatureScheme: scheme })
      expect((await post(gateway, bodyOf(flow.caseNo), headers)).status).toBe(status)
      expect(await flow.signals()).toHaveLength(status === 204 ? 1 : 0)
    })
  }

  test('may begin the body with a byte order mark', async ({ open, flow }) => {
    const gateway = await open({ profile: uidSignatureOnly, uidSignatureScheme: scheme })
    const headers = { 'x-signature': uidSignature(keys.current, 'S1', scheme) }
    expect((await post(gateway, `\uFEFF${bodyOf(flow.caseNo)}`, headers)).status).toBe(204)
    expect(await flow.signals()).toHaveLength(1)
  })

  test('cannot sign a callback without a shipment', async ({ open }) => {
    const gateway = await open({ profile: uidSignatureOnly, uidSignatureScheme: scheme })
    const headers = { 'x-signature': uidSignature(keys.current, '', scheme) }
    expect((await post(gateway, 'not JSON', headers)).status).toBe(401)
  })
})
