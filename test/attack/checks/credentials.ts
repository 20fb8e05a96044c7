import { deepEqual, equal, match } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'vitest'
import { requestToken } from '../dispatcher.ts'
import { type HttpResponse, send } from '../http.ts'
import { requests } from '../operations.ts'
import { expectEnvelope, expectRefused, expectSuccess, readVictim, type Scene } from '../scene.ts'

/** Token requests that must fail, with the error code of RFC 6749 section 5.2. */
const refused: Readonly<
  Record<string, [form: Readonly<Record<string, string>> | string, status: number, code: string]>
> = {
  'no form': ['', 400, 'invalid_request'],
  'no secret': [{ client_id: 'attacker' }, 401, 'invalid_client'],
  'an empty secret': [{ client_id: 'attacker', client_secret: '' }, 401, 'invalid_client'],
  'a secret of one megabyte': [
    { client_id: 'attacker', client_secret: 'a'.repeat(1_024 * 1_024) },
    413,
    'invalid_request',
  ],
  'a NUL in the id': [{ client_id: 'attacker\0', client_secret: 'a' }, 401, 'invalid_client'],
  'SQL in the id': [{ client_id: "' or '1'='1", client_secret: "' or '1'='1" }, 401, 'invalid_client'],
  'the id as a list': ['client_id[]=attacker&client_secret[]=a&grant_type=client_credentials', 401, 'invalid_client'],
  'two ids': [
    'client_id=attacker&client_id=victim&client_secret=a&grant_type=client_credentials',
    400,
    'invalid_request',
  ],
  JSON: ['{"client_id":"attacker"}', 401, 'invalid_client'],
}

/** Registers the checks on credentials, codes and idempotency keys. They come last, since they run into limits. */
export function credentialChecks(scene: () => Scene): void {
  describe('a token request is refused', () => {
    test.each(Object.entries(refused))('%s', async (_name, [form, status, code]) => {
      const response = await requestToken(scene().target, form)
      equal(response.status === status || [400, 401, 413, 429].includes(response.status), true, response.text)
      equal(response.json.access_token, undefined)
      equal(typeof response.json.error === 'string', true, `${code}: ${response.text}`)
    })

    test.each([
      ['another scope', { scope: 'integration_api admin' }, 'invalid_scope'],
      ['another grant', { grant_type: 'password' }, 'unsupported_grant_type'],
      ['a refresh', { grant_type: 'refresh_token' }, 'unsupported_grant_type'],
    ])('%s', async (_name, change, code) => {
      const { clientId, clientSecret } = scene().target.attacker
      const response = await requestToken(scene().target, {
        client_id: clientId,
        client_secret: clientSecret,
        ...change,
      })
      deepEqual([response.status, response.json.error], [400, code])
    })

    test('by GET, with the credentials in the address', async () => {
      const { clientId, clientSecret } = scene().target.attacker
      const form = `client_id=${clientId}&client_secret=${clientSecret}&grant_type=client_credentials`
      const response = await send(scene().target.authUrl, { method: 'GET', path: `/connect/token?${form}` })
      expectRefused(response, 405, 'MethodNotAllowed')
    })
  })

  test('an unknown client and a wrong secret have the same response', async () => {
    const known = await requestToken(scene().target, {
      client_id: scene().target.attacker.clientId,
      client_secret: 'wrong',
    })
    const unknown = await requestToken(scene().target, { client_id: randomUUID(), client_secret: 'wrong' })
    deepEqual([known.status, known.json], [unknown.status, unknown.json])
  })

  test('an idempotency key of another client runs a request of its own', async () => {
    const { attacker, victim, own, foreign } = scene()
    const key = { 'idempotency-key': randomUUID() }
    const theirs = expectSuccess(
      await victim.call('CreateLocalShipmentAsStock', requests.CreateLocalShipmentAsStock(foreign), { headers: key }),
    )
    const mine = expectSuccess(
      await attacker.call('CreateLocalShipmentAsStock', requests.CreateLocalShipmentAsStock(own), { headers: key }),
    )
    equal(JSON.stringify(mine.shipmentUids) === JSON.stringify(theirs.shipmentUids), false)
    const other = { ...requests.CreateLocalShipmentAsStock(own), AllowLargerLockers: false }
    expectRefused(
      await attacker.call('CreateLocalShipmentAsStock', other, { headers: key }),
      422,
      'IdempotencyKeyReused',
    )
  })

  test.each(['a'.repeat(10_000), "' or 1=1 --", '../..', '%00', 'ä'])(
    'the idempotency key %s ends in an envelope',
    async key => {
      const { attacker, own } = scene()
      const request = requests.CreateLocalShipmentAsStock(own)
      expectEnvelope(
        await attacker.call('CreateLocalShipmentAsStock', request, { headers: { 'idempotency-key': key } }),
      )
    },
  )

  test('guessed access codes are throttled, and another tenant is not', async () => {
    const { attacker, victim, own, foreign } = scene()
    const before = await readVictim(scene())
    const guess = (index: number) => ({ shipmentUid: own.shipment, pinCode: String(index).padStart(6, '0') })
    const responses: HttpResponse[] = []
    for (let index = 0; index < 12; index++) responses.push(await attacker.call('UnlockShipmentLocker', guess(index)))
    const last = responses.at(-1)
    equal(last?.json.error, 'TooManyAttempts', last?.text)
    match(String(last?.headers['retry-after']), /^\d+$/)
    expectSuccess(await victim.call('UnlockShipmentLocker', { shipmentUid: foreign.shipment, pinCode: foreign.code }))
    equal(await readVictim(scene()), before)
  })

  test('guessed secrets are throttled, and tokens stay valid', async () => {
    const { target, victim } = scene()
    const statuses: number[] = []
    for (let index = 0; index < 40 && !statuses.includes(429); index++) {
      const guess = { client_id: target.victim.clientId, client_secret: `guess-${index}-${randomUUID()}` }
      statuses.push((await requestToken(target, guess)).status)
    }
    equal(statuses.at(-1), 429, statuses.join())
    expectSuccess(await victim.call('GetPickUpPoints', {}))
  })
}
