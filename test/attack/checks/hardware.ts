import { equal } from 'node:assert/strict'
import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { describe, test } from 'vitest'
import { type HttpResponse, send } from '../http.ts'
import { expectEnvelope, expectRefused, readVictim, type Scene } from '../scene.ts'

const path = '/hardware/events'
const now = () => Math.floor(Date.now() / 1_000)

/** Headers of Standard Webhooks. */
function sign(key: string, body: string | Uint8Array, { id = randomUUID() as string, timestamp = now() } = {}) {
  const digest = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': `v1,${digest}` }
}

/** An event of the locker of the victim's shipment. */
function eventText({ foreign }: Scene, fields: object = {}): string {
  return JSON.stringify({
    type: 'event',
    event: 'forced',
    pupUid: foreign.pickUpPoint,
    lockerUid: foreign.locker,
    sequence: Date.now(),
    occurredAt: new Date().toISOString(),
    ...fields,
  })
}

function post({ target }: Scene, body: string | Uint8Array, headers: Readonly<Record<string, string>> = {}) {
  return send(target.baseUrl, { path, headers: { 'content-type': 'application/json', ...headers }, body })
}

/** A service without an adapter has no such path. */
function expectUnauthorized(response: HttpResponse): void {
  expectEnvelope(response)
  equal([401, 404].includes(response.status), true, `${response.status} ${response.text}`)
}

/** Events that prove nothing, made of a valid one. */
const forgeries: Readonly<Record<string, (scene: Scene, text: string) => Promise<HttpResponse>>> = {
  'without a signature': (scene, text) => post(scene, text),
  'with the token of a tenant': (scene, text) => post(scene, text, { authorization: `Bearer ${scene.attacker.token}` }),
  'with a key of its own': (scene, text) => post(scene, text, sign(randomBytes(24).toString('base64url'), text)),
  'with an empty key': (scene, text) => post(scene, text, sign('', text)),
  'with the secret of a client': (scene, text) => post(scene, text, sign(scene.target.attacker.clientSecret, text)),
  'with an empty signature': (scene, text) => post(scene, text, { ...sign('', text), 'webhook-signature': 'v1,' }),
  'with another version of signatures': (scene, text) =>
    post(scene, text, { ...sign('', text), 'webhook-signature': 'v0,AAAA v1a,AAAA' }),
  'with a thousand signatures': (scene, text) =>
    post(scene, text, { ...sign('', text), 'webhook-signature': Array(300).fill('v1,AAAA').join(' ') }),
  'to an adapter that does not exist': ({ target }, text) =>
    send(target.baseUrl, {
      path: `${path}/%2e%2e`,
      headers: { 'content-type': 'application/json', ...sign('', text) },
      body: text,
    }),
}

/** Events that are signed with the key of the adapter. Each has a fault that the key does not excuse. */
const faults: Readonly<Record<string, (scene: Scene, key: string, text: string) => Promise<HttpResponse>>> = {
  'of an hour ago': (scene, key, text) => post(scene, text, sign(key, text, { timestamp: now() - 3_600 })),
  'of the next hour': (scene, key, text) => post(scene, text, sign(key, text, { timestamp: now() + 3_600 })),
  'with a changed body': (scene, key, text) => post(scene, text.replace('forced', 'closed'), sign(key, text)),
  'with a body in another notation': (scene, key, text) => post(scene, `${text}\n`, sign(key, text)),
  'with a changed id': (scene, key, text) => post(scene, text, { ...sign(key, text), 'webhook-id': randomUUID() }),
  'with a changed time': (scene, key, text) =>
    post(scene, text, { ...sign(key, text), 'webhook-timestamp': String(now() - 1) }),
}

/** Registers the checks on events of locker hardware: no token, no tenant, only the key of an adapter. */
export function hardwareChecks(scene: () => Scene): void {
  describe('a forged event of a door is refused', () => {
    test.each(Object.entries(forgeries))('%s', async (_name, attempt) => {
      expectUnauthorized(await attempt(scene(), eventText(scene())))
    })

    test.each(Object.entries(faults))('%s', async (_name, attempt) => {
      const { hardwareKey } = scene().target
      if (hardwareKey === undefined) return
      expectRefused(await attempt(scene(), hardwareKey, eventText(scene())), 401, 'Unauthorized')
    })

    test('of a megabyte, before it is parsed', async () => {
      const huge = eventText(scene(), { reason: 'a'.repeat(1_024 * 1_024) })
      expectUnauthorized(await post(scene(), huge))
      const { hardwareKey } = scene().target
      if (hardwareKey !== undefined) expectRefused(await post(scene(), huge, sign(hardwareKey, huge)), 413)
    })

    test('that nests deeply, although it is signed', async () => {
      const { hardwareKey } = scene().target
      const nested = '['.repeat(16_000)
      if (hardwareKey !== undefined) expectRefused(await post(scene(), nested, sign(hardwareKey, nested)), 400)
    })
  })

  test('an event of a door that is repeated, or forced, changes no shipment', async () => {
    const { hardwareKey } = scene().target
    if (hardwareKey === undefined) return
    const before = await readVictim(scene())
    const text = eventText(scene())
    const headers = sign(hardwareKey, text)
    for (let count = 0; count < 3; count++) equal((await post(scene(), text, headers)).status, 200)
    equal(await readVictim(scene()), before)
  })
}
