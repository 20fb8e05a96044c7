import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { decodeProtectedHeader } from 'jose'
import { expect, onTestFinished, test } from 'vitest'
import { createKeyRing, type Settings } from '#service'
import { eventually } from '../support/eventually.ts'
import { signInWith, statusWith } from '../support/service/registry.ts'
import { temporaryFolder } from '../support/service/temporaryStore.ts'
import { startTestService, type TestService } from '../support/service/testService.ts'
import { booking } from '../support/service/topology.ts'
import { startPostgres } from '../support/setup/postgresServer.ts'
import { readBlocks } from './blocks.ts'
import { runBlock } from './commands.ts'

const blocks = readBlocks('how-to/replace-keys.md')
const publicUrl = 'https://lockers.example'
const ran = new Set<string>()

/** An entry of LOCKERFLOW_STORE_KEYS as the service reads it. */
function keyOf(entry: string) {
  const [id = '', key = ''] = entry.split(':')
  return { id, key: Buffer.from(key, 'base64') }
}

test('the commands of the page replace the keys of a service under load, and no call is refused', {
  timeout: 600_000,
}, async () => {
  const folder = temporaryFolder()
  const server = await startPostgres()
  onTestFinished(() => server.remove())
  await server.run('create database lockerflow')
  const databaseUrl = server.urlOf('lockerflow')
  const old = `old:${randomBytes(32).toString('base64')}`
  const variables = { LOCKERFLOW_DATABASE_URL: databaseUrl, LOCKERFLOW_STORE_KEYS: old }
  const run = (name: string, more = {}) => {
    ran.add(name)
    return runBlock(blocks, name, { ...variables, ...more }, folder)
  }

  const services: TestService[] = []
  // A client that goes to the newest process, with the newest secret.
  const at = { secret: 'acme-secret', token: '', rounds: 0, stopped: false, service: await start(old) }
  const refused: unknown[] = []
  async function start(...[first = '', ...others]: string[]): Promise<TestService> {
    return startWith({ keyEncryption: createKeyRing(keyOf(first), ...others.map(keyOf)) })
  }
  async function startWith(settings: Partial<Settings>): Promise<TestService> {
    // On a loaded machine a statement can take longer than by default.
    const service = await startTestService({ databaseUrl, publicUrl, statementTimeout: 60_000, ...settings })
    services.push(service)
    return service
  }
  const load = (async () => {
    while (!at.stopped) {
      const { status, body } = await signInWith(at.service, 'acme', at.secret)
      if (status !== 200) refused.push(body)
      at.token = String(body.access_token)
      const request = { ...booking, PupUid: 'pup-1', Details: { ReferenceCaseNo: `K-${at.rounds}` } }
      const booked = await at.service.call('CreateLocalShipmentAsStock', request, { token: at.token })
      const [shipmentUid = ''] = (booked.body.shipmentUids ?? []) as string[]
      const cancelled = await at.service.call('CancelShipment', { shipmentUid }, { token: at.token })
      for (const { body } of [booked, cancelled]) if (body.success !== true) refused.push(body)
      at.rounds++
      // Leaves the machine to other tests.
      await pause(200)
    }
  })()
  onTestFinished(async () => {
    at.stopped = true
    await Promise.allSettled([load])
    for (const service of services) await service.stop()
  })
  /** Waits until a round has begun and ended after this moment. */
  const progress = (wanted = at.rounds + 3) => eventually(() => at.rounds >= wanted, 120_000)

  // The key of the store.
  const entry = (await run('store-key')).trim()
  variables.LOCKERFLOW_STORE_KEYS = `${entry},${old}`
  at.service = await start(entry, old)
  await progress()
  const rotation = run('rotate-data-key')

  // The secret, while the data key rotates.
  const [secret = ''] = /(?<=: |\s)[\w-]{40,}/.exec(await run('second-secret')) ?? []
  at.secret = secret
  await progress()

  // The key that signs tokens.
  const early = at.token
  const signingKey = JSON.parse(await run('signing-key'))
  at.service = await startWith({ keyEncryption: createKeyRing(keyOf(entry), keyOf(old)), signingKey })
  await progress()
  expect(await statusWith(at.service, early)).toBe(200)
  const { kid = '' } = decodeProtectedHeader(early)
  expect(await run('revoke-key', { KEY_ID: kid })).toContain(kid)
  await eventually(async () => (await statusWith(at.service, early)) === 401)
  await progress()

  expect(await rotation).toMatch(/data key \S+ encrypts all secrets/)
  expect(await run('list-keys')).toContain('key old: no longer needed')
  at.service = await startWith({ keyEncryption: createKeyRing(keyOf(entry)), signingKey })
  await progress()
  at.stopped = true
  await load
  expect(refused).toEqual([])

  const leaked = at.token
  await run('leaked-secret')
  expect((await signInWith(at.service, 'acme', secret)).status).toBe(401)
  await eventually(async () => (await statusWith(at.service, leaked)) === 401)

  const commands = blocks.filter(({ language }) => language === 'sh').map(({ info }) => info)
  expect([...ran]).toEqual(expect.arrayContaining(commands))
})
