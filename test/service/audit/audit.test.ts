import { randomBytes } from 'node:crypto'
import { exportJWK, generateKeyPair } from 'jose'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  type AuditedMoment,
  auditActions,
  createKeyRing,
  openAuditLog,
  openClientRegistry,
  openEncryption,
  openLockerRegistry,
  openPersons,
  openTopologyRegistry,
  type Settings,
} from '#service'
import { readEntries } from '../../../service/audit/entries.ts'
import { recordAudit, recordBounded } from '../../../service/audit/index.ts'
import { openStore, type Store } from '../../../service/store/index.ts'
import { hasRowLocks } from '../../../service/store/locks.ts'
import { startReceiver } from '../../support/servers/callbackReceiver.ts'
import { signInWith } from '../../support/service/registry.ts'
import { temporaryStore } from '../../support/service/temporaryStore.ts'
import { startTestService } from '../../support/service/testService.ts'
import { booking, topology } from '../../support/service/topology.ts'
import { createWorld } from '../../support/world/createWorld.ts'

const hour = 3_600_000

const newKey = (id: string) => ({ id, key: randomBytes(32) })

async function read(databaseUrl: string, filter = {}): Promise<AuditedMoment[]> {
  const log = await openAuditLog(databaseUrl)
  try {
    const entries: AuditedMoment[] = []
    for await (const entry of log.read(filter)) entries.push(entry)
    return entries
  } finally {
    await log.close()
  }
}

const secrets = {
  firstName: 'Wilhelmina',
  lastName: 'Quackenbush',
  emailAddress: 'wilhelmina@quackenbush.example',
  phoneNumber: '+31201234567',
  userName: 'mina-q',
}

test('each audited action is an entry of its transaction, with ids and without secrets', async () => {
  const databaseUrl = await temporaryStore()
  const doors = { work: true }
  const world = await createWorld({ service: { databaseUrl, hardware: { open: async () => doors.work } } })
  const receiver = await startReceiver()
  const registry = await openClientRegistry(databaseUrl)
  const log = await openAuditLog(databaseUrl)
  const persons = await openPersons(databaseUrl)
  const lockers = await openLockerRegistry(databaseUrl)
  const topologies = await openTopologyRegistry(databaseUrl)
  const encryption = await openEncryption(databaseUrl, { settling: 0 })
  onTestFinished(async () => {
    for (const each of [registry, log, persons, lockers, topologies, encryption]) await each.close()
    await world.stop()
    await receiver.stop()
  })
  const ids = { userUid: '', shipmentUid: '' }
  const seen: string[] = Object.values(secrets)
  const { store } = world.service
  const byClient = { actor: 'client', tenantId: 'acme', clientId: 'acme' }
  /** Asserts that `work` adds these entries and no other. */
  const expectEntries = async (work: () => Promise<unknown>, entries: () => object[]): Promise<void> => {
    const last = (await read(databaseUrl)).at(-1)?.seq ?? 0
    expect((await work()) as object | undefined).not.toMatchObject({ error: 'InvalidRequest' })
    const added = (await read(databaseUrl)).filter(({ seq }) => seq > last)
    expect(added).toMatchObject(entries())
    expect(added).toHaveLength(entries().length)
  }
  const expectEntry = (work: () => Promise<unknown>, entry: () => object) => expectEntries(work, () => [entry()])
  const expectNone = (work: () => Promise<unknown>) => expectEntries(work, () => [])
  const changed = (detail: string) => () => ({ ...byClient, action: 'account.changed', subject: ids.userUid, detail })

  await expectEntry(
    () => world.service.token(),
    () => ({ ...byClient, action: 'signIn.succeeded', subject: null }),
  )
  await expectEntry(
    () => signInWith(world.service, 'acme', 'wrong-secret'),
    () => ({ ...byClient, action: 'signIn.failed', detail: 'wrongSecret' }),
  )
  await expectEntry(
    () => signInWith(world.service, secrets.emailAddress, 'x'),
    () => ({ actor: 'client', tenantId: null, clientId: null, action: 'signIn.failed', detail: 'unknownClient' }),
  )
  await expectEntry(
    async () => {
      ids.userUid = (await world.call('CreateAccount', { ...secrets, pickUpPointUid: 'square' })).userUid ?? ''
    },
    () => ({ ...byClient, action: 'account.created', subject: ids.userUid }),
  )
  const details = { userUid: ids.userUid, firstName: 'Wil', lastName: 'Quack', phoneNumber: '+31207654321' }
  await expectEntry(() => world.call('SetAccountDetails', details), changed('phoneNumber,firstName,lastName'))
  const flags = { userUid: ids.userUid, canChangeEmailAddress: false }
  await expectEntry(() => world.call('SetAccountMutationConfig', flags), changed('mutationConfig'))
  const place = { userUid: ids.userUid, pickUpPointUid: 'shared' }
  await expectEntry(() => world.call('SetAccountPickUpPoint', place), changed('pickUpPointUid'))
  const address = { url: receiver.url, authType: 'HMAC' } as const
  await expectEntry(
    () => world.call('ConfigureCallback', address),
    () => ({ ...byClient, action: 'callback.registered', detail: 'HMAC newKey' }),
  )
  await expectNone(() => world.call('ConfigureCallback', address))

  await expectNone(async () => {
    const booked = await world.call('CreateLocalShipmentAsIssue', { ...booking, ToUserUid: ids.userUid })
    ids.shipmentUid = booked.shipmentUids[0] ?? ''
  })
  const { userUid, shipmentUid } = ids
  await expectEntry(
    async () => {
      seen.push((await world.call('GetShipmentAccessCode', { shipmentUid })).deliveryCode ?? '')
      await world.call('GetShipmentAccessCode', { shipmentUid })
    },
    () => ({ ...byClient, action: 'code.read', subject: shipmentUid }),
  )
  await expectEntry(
    async () => {
      for (let call = 0; call < 3; call++) await world.call('GetShipments', {})
    },
    () => ({ ...byClient, action: 'codes.listed', subject: null }),
  )
  await expectNone(() => world.call('UnlockShipmentLocker', { shipmentUid, unlockGoal: 'PickUp' }))
  doors.work = false
  await expectEntry(
    () => world.call('UnlockShipmentLocker', { shipmentUid, unlockGoal: 'DropOff' }),
    () => ({ ...byClient, action: 'locker.unlockFailed', subject: shipmentUid, detail: 'DropOff' }),
  )
  doors.work = true
  await world.call('SetSandboxFaults', { hardwareFails: true })
  await expectEntry(
    () => world.call('UnlockShipmentLocker', { shipmentUid, unlockGoal: 'DropOff' }),
    () => ({ ...byClient, action: 'locker.unlockFailed', subject: shipmentUid, detail: 'DropOff' }),
  )
  await world.call('SetSandboxFaults', { hardwareFails: false })
  await expectEntry(
    () => world.call('UnlockShipmentLocker', { shipmentUid, unlockGoal: 'DropOff' }),
    () => ({ ...byClient, action: 'locker.unlocked', subject: shipmentUid, detail: 'DropOff' }),
  )
  await expectNone(() => world.call('RemoveAccount', { userUid }))
  const byOperator = { actor: 'operator', tenantId: null, clientId: null, detail: null }
  await expectEntry(
    () => persons.export({ userUid, tenantId: 'acme' }),
    () => ({ ...byOperator, tenantId: 'acme', action: 'account.exported', subject: userUid }),
  )
  await expectEntries(
    async () => {
      await world.call('UnlockShipmentLocker', { shipmentUid, unlockGoal: 'PickUp' })
      await world.call('RemoveAccount', { userUid })
    },
    () => [
      { ...byClient, action: 'locker.unlocked', subject: shipmentUid, detail: 'PickUp' },
      { ...byClient, action: 'account.removed', subject: userUid, detail: null },
    ],
  )
  await expectEntry(
    () => persons.erase({ userUid }),
    () => ({ ...byOperator, action: 'account.erased', subject: userUid }),
  )
  // An ended shipment has no codes.
  await expectNone(async () => {
    const { shipmentUids } = await world.call('CreateLocalShipmentAsStock', booking)
    const ended = { shipmentUid: shipmentUids[0] ?? '' }
    await world.call('CancelShipment', ended)
    expect(await world.call('GetShipmentAccessCode', ended)).toMatchObject({ pickUpCode: null, deliveryCode: null })
  })
  await expectNone(() => world.call('SimulateLockerAccess', { pupUid: 'square', lockerName: 'L1', pinCode: '000000' }))

  const target = { pupUid: 'shared', lockerName: '20' }
  await expectEntries(
    async () => {
      await lockers.takeOutOfService(target, 'door bent')
      await lockers.takeOutOfService(target, 'door bent')
      await lockers.returnToService(target)
      await lockers.takeOutOfService({ pupUid: 'shared' }, 'flooded')
    },
    () => [
      { ...byOperator, action: 'locker.outOfService', subject: 'shared:20' },
      { ...byOperator, action: 'locker.inService', subject: 'shared:20' },
      { ...byOperator, action: 'locker.outOfService', subject: 'shared' },
    ],
  )
  await expectEntries(
    async () => {
      await topologies.preview(topology, { retire: true })
      await topologies.apply(topology, { retire: false })
      await topologies.apply(topology, { retire: true })
    },
    () => [
      { ...byOperator, action: 'topology.applied', subject: null },
      { ...byOperator, action: 'topology.applied', subject: null, detail: 'retire' },
    ],
  )
  const decision = { source: 'run:update', at: Date.now(), workflowId: 'case:C-1', detail: 'extend by client:acme' }
  await expectEntry(
    () =>
      log.addDecisions(
        'acme',
        (async function* () {
          yield decision
          yield decision
        })(),
      ),
    () => ({ actor: 'person', tenantId: 'acme', action: 'flow.decided', subject: 'case:C-1', detail: decision.detail }),
  )
  const ofGuest = { tenantId: 'acme', subject: 'guest' }
  await expectEntries(
    async () => {
      const { clientSecret: expired } = await registry.add({ clientId: 'guest', tenantId: 'acme', lifetime: 0 })
      await signInWith(world.service, 'guest', expired)
      const { clientSecret } = await registry.rotate({ clientId: 'guest', overlap: 0 })
      await registry.disable({ clientId: 'guest' })
      await signInWith(world.service, 'guest', clientSecret)
      seen.push(expired, clientSecret)
    },
    () => [
      { ...byOperator, ...ofGuest, action: 'secret.added' },
      { ...byClient, clientId: 'guest', action: 'signIn.failed', detail: 'expiredSecret' },
      { ...byOperator, ...ofGuest, action: 'secret.rotated' },
      { ...byOperator, ...ofGuest, action: 'client.disabled' },
      { ...byClient, clientId: 'guest', action: 'signIn.failed', detail: 'switchedOff' },
    ],
  )

  const { kid } = await store.selectFrom('signing_keys').select('kid').executeTakeFirstOrThrow()
  const ofRobot = { actor: 'operator', tenantId: 'globex', clientId: null, subject: 'robot' }
  const ofTenant = { ...ofRobot, subject: 'globex' }
  await expectEntries(
    async () => {
      seen.push((await registry.add({ clientId: 'robot', tenantId: 'globex' })).clientSecret)
      await registry.rotate({ clientId: 'robot', overlap: hour })
      await registry.revokeTokens('robot')
      await registry.disable({ clientId: 'robot' })
      await registry.enable({ clientId: 'robot' })
      await registry.disable({ clientId: 'robot' })
      await registry.remove({ clientId: 'robot' })
      await expect(registry.rotate({ clientId: 'robot', overlap: hour })).rejects.toThrow('client id')
      await registry.revokeKey(kid)
      await registry.disable({ tenantId: 'globex' })
      await registry.enable({ tenantId: 'globex' })
      await registry.disable({ tenantId: 'globex' })
      await registry.remove({ tenantId: 'globex' })
    },
    () => [
      { ...ofRobot, action: 'secret.added' },
      { ...ofRobot, action: 'secret.rotated' },
      { ...ofRobot, action: 'tokens.revoked' },
      { ...ofRobot, action: 'client.disabled' },
      { ...ofRobot, action: 'client.enabled' },
      { ...ofRobot, action: 'client.disabled' },
      { ...ofRobot, action: 'client.removed' },
      { actor: 'operator', tenantId: null, action: 'key.revoked', subject: kid, detail: 'signing' },
      { ...ofTenant, action: 'tenant.disabled' },
      { ...ofTenant, action: 'tenant.enabled' },
      { ...ofTenant, action: 'tenant.disabled' },
      { ...ofTenant, action: 'tenant.removed' },
    ],
  )
  await expectEntries(
    () => encryption.rotate(),
    () => [{ ...byOperator, action: 'key.rotated', subject: expect.stringMatching(/^[\w-]+$/), detail: 'data' }],
  )

  // The entries of the removed tenant are still there.
  const all = await read(databaseUrl)
  const ofGlobex = all.filter(({ tenantId }) => tenantId === 'globex')
  expect(ofGlobex).toHaveLength(11)
  expect(await read(databaseUrl, { tenantId: 'globex' })).toEqual(ofGlobex)
  const moment = Date.parse(ofGlobex[0]?.at ?? '')
  const [before, after] = [await read(databaseUrl, { until: moment }), await read(databaseUrl, { since: moment })]
  expect(before.length).toBeGreaterThan(0)
  expect([...before, ...after]).toEqual(all)

  const text = JSON.stringify(all)
  expect(seen.filter(value => value !== '')).toHaveLength(9)
  for (const value of seen) expect(text).not.toContain(value)
  expect(new Set(all.map(({ action }) => action))).toEqual(new Set(Object.keys(auditActions)))
})

test('a list without access codes adds no entry', async () => {
  const databaseUrl = await temporaryStore()
  const world = await createWorld({ service: { databaseUrl } })
  onTestFinished(() => world.stop())
  const { shipmentUids } = await world.call('CreateLocalShipmentAsStock', booking)
  const shipmentUid = shipmentUids[0] ?? ''
  const listed = async () => (await read(databaseUrl)).filter(({ action }) => action === 'codes.listed')
  await world.call('CancelShipment', { shipmentUid })
  expect((await world.call('GetShipments', {})).items).toMatchObject([{ shipmentUid }])
  expect((await world.call('GetShipments', { shipmentUid: 'nothing' })).items).toEqual([])
  expect(await listed()).toEqual([])
  await world.call('CreateLocalShipmentAsStock', booking)
  await world.call('GetShipments', {})
  expect(await listed()).toMatchObject([{ tenantId: 'acme', clientId: 'acme', subject: null }])
})

test('a key that replaces another one at a start is an entry, once', async () => {
  const databaseUrl = await temporaryStore()
  /** The rotations in the log after a start with these settings. */
  const start = async (settings: Partial<Settings>) => {
    await (await startTestService({ databaseUrl, ...settings })).stop()
    const rotations = (await read(databaseUrl)).filter(({ action }) => action === 'key.rotated')
    return rotations.map(({ actor, subject, detail }) => [actor, detail, subject])
  }
  const [one, two] = [newKey('one'), newKey('two')]
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  const signingKey = { ...(await exportJWK(privateKey)), kid: 'mine' }

  expect(await start({ keyEncryption: createKeyRing(one) })).toEqual([])
  const signed = [['service', 'signing', 'mine']]
  for (const again of [signed, signed])
    expect(await start({ keyEncryption: createKeyRing(one), signingKey })).toEqual(again)
  const sealed = [...signed, ['service', 'store', 'two']]
  for (const again of [sealed, sealed])
    expect(await start({ keyEncryption: createKeyRing(two, one), signingKey })).toEqual(again)
  // Without the configured key, the service signs with its own one again.
  const back = [...sealed, ['service', 'signing', expect.stringMatching(/^[\w-]{43}$/)]]
  expect(await start({ keyEncryption: createKeyRing(two) })).toEqual(back)
})

describe('the log', () => {
  async function open(): Promise<Store> {
    const store = await openStore(await temporaryStore())
    onTestFinished(() => store.destroy())
    return store
  }

  test('refuses changes, and allows the deletion of entries before the moment of the purge only', async () => {
    const store = await open()
    for (const now of [1_000, 2_000]) await recordAudit(store, { action: 'account.removed', now })
    await store.insertInto('audit_purges').values({ log: 'audit_log', purged_before: 2_000 }).execute()
    const statements = ['update audit_log set detail = null', 'delete from audit_log']
    // SQLite has no truncate.
    if (hasRowLocks(store)) statements.push('truncate audit_log')
    for (const statement of statements) {
      await expect(sql.raw(statement).execute(store)).rejects.toThrow('audit_log: entries must not be changed')
    }
    await store.deleteFrom('audit_log').where('recorded_at', '<', 2_000).execute()
    expect(await store.selectFrom('audit_log').select('recorded_at').execute()).toEqual([{ recorded_at: 2_000 }])
  })

  test('has a bounded number of entries of a frequent action per client and hour', async () => {
    const store = await open()
    const failed = { action: 'signIn.failed', detail: 'wrongSecret' } as const
    const count = async () => (await store.selectFrom('audit_log').select('seq').execute()).length
    for (let at = 0; at < 30; at++) await recordBounded(store, { ...failed, clientId: 'acme', now: 1_000 * at })
    expect(await count()).toBe(20)
    for (let at = 0; at < 30; at++) await recordBounded(store, { ...failed, now: 1_000 * at })
    expect(await count()).toBe(40)
    await recordBounded(store, { ...failed, clientId: 'globex', now: 30_000 })
    expect(await count()).toBe(41)
    await recordBounded(store, { ...failed, clientId: 'acme', now: hour + 1 })
    expect(await count()).toBe(42)
    await recordBounded(store, { action: 'signIn.succeeded', clientId: 'acme', now: 30_000 })
    expect(await count()).toBe(43)
    for (const subject of ['one', 'one', 'two'])
      await recordBounded(store, { action: 'code.read', clientId: 'acme', subject, now: 30_000 })
    expect(await count()).toBe(45)
  })

  test('is read to its end, over several pages, each entry once', async () => {
    const store = await open()
    const row = { actor: 'client', action: 'code.read' } as const
    const rows = Array.from({ length: 500 }, (_, at) => ({
      ...row,
      recorded_at: at,
      tenant_id: at % 5 ? 'acme' : null,
    }))
    for (let times = 0; times < 6; times++) await store.insertInto('audit_log').values(rows).execute()
    for (const filter of [{}, { tenantId: 'acme' }]) {
      const seqs: number[] = []
      for await (const { seq } of readEntries(store, filter)) seqs.push(seq)
      expect(seqs).toHaveLength(filter.tenantId === undefined ? 3_000 : 2_400)
      expect(seqs).toEqual([...new Set(seqs)].toSorted((a, b) => a - b))
    }
  })
})
