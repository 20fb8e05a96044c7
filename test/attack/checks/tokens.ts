import { match } from 'node:assert/strict'
import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import { describe, test } from 'vitest'
import { send } from '../http.ts'
import { operationNames, pathOf, requests } from '../operations.ts'
import { expectRefused, type Scene } from '../scene.ts'

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const parts = (token: string) => token.split('.') as [string, string, string]
const decode = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))

/** A published key as text, for the attack that uses it as a shared secret. */
type PublishedKey = Readonly<Record<string, unknown>>

type Forgery = (token: string, key: PublishedKey) => string

const ownKey = generateKeyPairSync('ec', { namedCurve: 'P-256' })

/** Signs with the attacker's own key. */
function resign(header: object, claims: object): string {
  const input = `${encode(header)}.${encode(claims)}`
  const signature = sign('sha256', Buffer.from(input), { key: ownKey.privateKey, dsaEncoding: 'ieee-p1363' })
  return `${input}.${signature.toString('base64url')}`
}

/** Changes the header and the claims of a token, and signs it with the attacker's own key. */
const resigned =
  (change: object, claims: object = {}): Forgery =>
  token => {
    const [header, payload] = parts(token)
    return resign({ ...decode(header), ...change }, { ...decode(payload), ...claims })
  }

/** Other claims under the genuine signature. */
const altered =
  (claims: object, header: object = {}): Forgery =>
  token => {
    const [head, payload, signature] = parts(token)
    return `${encode({ ...decode(head), ...header })}.${encode({ ...decode(payload), ...claims })}.${signature}`
  }

const unsigned =
  (alg: string): Forgery =>
  token => {
    const [header, payload] = parts(token)
    return `${encode({ ...decode(header), alg })}.${payload}.`
  }

const symmetric =
  (secret: (key: PublishedKey) => string): Forgery =>
  (token, key) => {
    const [header, payload] = parts(token)
    const input = `${encode({ ...decode(header), alg: 'HS256' })}.${payload}`
    return `${input}.${createHmac('sha256', secret(key)).update(input).digest('base64url')}`
  }

const withSignature =
  (change: (signature: string) => string): Forgery =>
  token => {
    const [header, payload, signature] = parts(token)
    return `${header}.${payload}.${change(signature)}`
  }

const forgeries: Readonly<Record<string, Forgery>> = {
  'no signature, alg none': unsigned('none'),
  'no signature, alg nOnE': unsigned('nOnE'),
  'no signature, alg empty': unsigned(''),
  'no signature, alg unchanged': withSignature(() => ''),
  'a signature of zeros': withSignature(() => Buffer.alloc(64).toString('base64url')),
  'half a signature': withSignature(signature => signature.slice(0, signature.length / 2)),
  'a signature with one changed byte': withSignature(
    signature => (signature[0] === 'A' ? 'B' : 'A') + signature.slice(1),
  ),
  'claims of the victim': altered({ tenant: 'victim', client_id: 'victim', sub: 'victim' }),
  'a later expiry': altered({ exp: 4_000_000_000 }),
  'no expiry': altered({ exp: undefined }),
  'another scope': altered({ scope: 'integration_api admin' }),
  'another algorithm': altered({}, { alg: 'RS256' }),
  'the attacker’s key under the genuine key id': resigned({}),
  'the attacker’s key in the header': resigned({ jwk: ownKey.publicKey.export({ format: 'jwk' }) }),
  'the address of the attacker’s keys in the header': resigned({ jku: 'http://127.0.0.1:9/keys', kid: 'mine' }),
  'a certificate in the header': resigned({ x5c: ['AAAA'], x5u: 'http://127.0.0.1:9/cert' }),
  'a path as key id': resigned({ kid: '../../../../dev/null' }),
  'SQL as key id': resigned({ kid: "' or '1'='1" }),
  'a critical extension': resigned({ crit: ['exp'], b64: false }),
  'the public key as shared secret': symmetric(key => JSON.stringify(key)),
  'an empty shared secret': symmetric(() => ''),
  'a part of the public key as shared secret': symmetric(key => String(key.x ?? key.n)),
  'four parts': token => `${token}.${token.split('.')[2]}`,
  'two parts': token => token.split('.').slice(0, 2).join('.'),
  'no JSON': () => 'e30.e30.e30',
  'a nested token': token => encode({ token }),
  'sixty kilobytes': token => token + 'A'.repeat(12_000),
}

/** Authorization headers that carry no valid bearer token. */
const headers: Readonly<Record<string, (token: string) => string>> = {
  'an empty header': () => '',
  'an empty token': () => 'Bearer ',
  'another scheme': token => `Basic ${token}`,
  'the token without a scheme': token => token,
  'two tokens': token => `Bearer ${token} ${token}`,
  'two tokens with a comma': token => `Bearer x, Bearer ${token}`,
  'a quoted token': token => `Bearer "${token}"`,
}

/** Registers the checks on access tokens (specification, Authentication). */
export function tokenChecks(scene: () => Scene): void {
  describe('a forged token is refused', () => {
    test.each(Object.entries(forgeries))('%s', async (_name, forge) => {
      const { attacker, target } = scene()
      const discovery = await send(target.authUrl, { method: 'GET', path: '/.well-known/jwks.json' })
      const [key = {}] = discovery.json.keys as PublishedKey[]
      const response = await attacker.call(
        'GetPickUpPoints',
        {},
        { authorization: `Bearer ${forge(attacker.token, key)}` },
      )
      expectRefused(response, response.status === 431 ? 431 : 401)
      if (response.status === 401) match(String(response.headers['www-authenticate']), /^Bearer/)
    })
  })

  describe('a header without a valid token is refused', () => {
    test.each(Object.entries(headers))('%s', async (_name, header) => {
      const { attacker } = scene()
      const response = await attacker.call('GetPickUpPoints', {}, { authorization: header(attacker.token) })
      expectRefused(response, 401, 'Unauthorized')
    })

    test('the token in the address or in the body', async () => {
      const { attacker } = scene()
      const path = `${pathOf('GetPickUpPoints')}?access_token=${attacker.token}`
      const body = JSON.stringify({ access_token: attacker.token })
      expectRefused(await attacker.post(path, body, { authorization: null }), 401, 'Unauthorized')
    })
  })

  describe('an operation without a token is refused before its body is read', () => {
    test.each(operationNames)('%s', async name => {
      const { attacker, foreign, target } = scene()
      const absent = target.mode === 'production' && name === 'SimulateLockerAccess'
      const [status, code] = absent ? [404, 'UnknownOperation'] : [401, 'Unauthorized']
      const forged = `Bearer ${unsigned('none')(attacker.token, {})}`
      expectRefused(await attacker.call(name, requests[name](foreign), { authorization: null }), status, code)
      expectRefused(await attacker.call(name, requests[name](foreign), { authorization: forged }), status, code)
      expectRefused(await attacker.post(pathOf(name), '{', { authorization: null }), status, code)
    })
  })
}
