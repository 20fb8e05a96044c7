import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { defaultUidSignatureScheme } from '#contract'
import { createKeyRing, type KeyEncryption, openEncryption } from '#service'
import { generateDataKey } from '../../../service/encryption/dataKeyEncryption.ts'
import { announceDataKey, useDataKey } from '../../../service/encryption/dataKeyRows.ts'
import { openSecrets } from '../../../service/encryption/dataKeys.ts'
import type { Secrets } from '../../../service/encryption/index.ts'
import { allocateAccessCodes, encryptAccessCodes, insertFreeCodes } from '../../../service/lockers/accessCodes.ts'
import { releaseAccessCodes } from '../../../service/lockers/shipmentCodes.ts'
import { inTransaction } from '../../../service/store/index.ts'
import type { ShipmentColumns } from '../../../service/store/tables.ts'
import { startReceiver } from '../../support/servers/callbackReceiver.ts'
import { quick } from '../../support/service/callbacks.ts'
import { temporaryStore } from '../../support/service/temporaryStore.ts'
import { startTestService, type TestService } from '../../support/service/testService.ts'
import { booking, topology } from '../../support/service/topology.ts'
import { signatureFault } from '../../support/signatureFault.ts'

const newKey = (id: string) => ({ id, key: randomBytes(32) })
const callbackKey = 'the-callback-key-of-acme'
/** Longer than any transaction here, than ten polls, and than a pause of the machine. */
const settling = 6_000
/** Milliseconds between two shipments of a client, so that the load leaves the machine to other tests. */
const pace = 100
/** The steps of each shipment, in order. */
const life = ['ReadyForDropOff', 'WaitForReceiver', 'Cancelled']

/** Processes on one store, whose tokens are valid at all of them. */
async function createFleet() {
  const databaseUrl = await temporaryStore()
  const live: TestService[] = []
  async function start(keyEncryption: KeyEncryption): Promise<TestService> {
    const settings = { publicUrl: 'https://lockers.example', revocationPollInterval: 50, delivery: quick }
    const service = await startTestService({ databaseUrl, topology, keyEncryption, ...settings })
    onTestFinished(() => service.stop())
    live.push(service)
    return service
  }
  return { databaseUrl, live, start }
}

/** Shipments that pass their life one after the other, each call at another process. */
function startTraffic(live: TestService[]) {
  const traffic = { stopped: false, refused: [] as unknown[], shipmentUids: [] as string[] }
  const inFlight = new Map<TestService, number>()
  let turn = 0
  async function call(...[name, body]: Parameters<TestService['call']>) {
    const service = live[turn++ % live.length] as TestService
    inFlight.set(service, (inFlight.get(service) ?? 0) + 1)
    const reply = await service.call(name, body)
    inFlight.set(service, (inFlight.get(service) ?? 0) - 1)
    if (reply.body.success !== true) traffic.refused.push({ name, ...reply.body })
    return reply.body
  }
  async function client(): Promise<void> {
    while (!traffic.stopped) {
      const { shipmentUids = [] } = await call('CreateLocalShipmentAsStock', { ...booking, PupUid: 'shared' })
      const [shipmentUid = ''] = shipmentUids as string[]
      const { deliveryCode } = await call('GetShipmentAccessCode', { shipmentUid })
      await call('UnlockShipmentLocker', { shipmentUid, unlockGoal: 'DropOff', pinCode: deliveryCode })
      await call('CancelShipment', { shipmentUid })
      traffic.shipmentUids.push(shipmentUid)
      await pause(pace)
    }
  }
  const clients = Array.from({ length: 4 }, client)
  onTestFinished(async () => {
    traffic.stopped = true
    await Promise.allSettled(clients)
  })
  return Object.assign(traffic, {
    /** Waits for further shipments. */
    more: (count = 5) => {
      const wanted = traffic.shipmentUids.length + count
      return vi.waitFor(() => expect(traffic.shipmentUids.length).toBeGreaterThanOrEqual(wanted), { timeout: 30_000 })
    },
    /** Waits for the pending responses of a process that gets no more calls, and stops it. */
    async retire(service: TestService) {
      live.splice(live.indexOf(service), 1)
      await vi.waitFor(() => expect(inFlight.get(service) ?? 0).toBe(0), { timeout: 30_000 })
      await service.stop()
    },
    async stop() {
      traffic.stopped = true
      await Promise.all(clients)
    },
  })
}

test('key-encryption keys and the data key change under load', async () => {
  const [before, after] = [newKey('before'), newKey('after')]
  const fleet = await createFleet()
  const first = await fleet.start(createKeyRing(before))
  const faults: unknown[] = []
  const receiver = await startReceiver(({ headers, body, message }) => {
    const expected = { keys: [callbackKey], uidSignatureScheme: defaultUidSignatureScheme, standardWebhooks: true }
    const fault = signatureFault(expected, headers, body, message.shipmentUid, Math.floor(Date.now() / 1_000))
    if (fault !== undefined) faults.push(fault)
    return { status: 204 }
  })
  onTestFinished(() => receiver.stop())
  await first.call('ConfigureCallback', { url: receiver.url, authType: 'HMAC', authKey: callbackKey, resetKey: false })
  // A shipment that is booked before and collected after.
  const { body: old } = await first.call('CreateLocalShipmentAsStock', booking)
  const [oldUid = ''] = old.shipmentUids as string[]
  const { body: codes } = await first.call('GetShipmentAccessCode', { shipmentUid: oldUid })
  const traffic = startTraffic(fleet.live)
  await traffic.more()

  // The new key first, one process after the other; the old processes have the old key only.
  const second = await fleet.start(createKeyRing(after, before))
  await traffic.more()
  await traffic.retire(first)
  await fleet.start(createKeyRing(after, before))
  await traffic.more()
  const { store } = second
  const readKeys = () => store.selectFrom('data_keys').select(['data_key_id', 'encrypted_by']).execute()
  const [{ data_key_id: oldId } = { data_key_id: '' }] = await readKeys()

  const registry = await openEncryption(fleet.databaseUrl, { keyEncryption: createKeyRing(after, before), settling })
  onTestFinished(() => registry.close())
  expect((await registry.list()).unusedKeyIds).toEqual(['before'])
  const { dataKeyId } = await registry.rotate()
  expect(dataKeyId).not.toBe(oldId)
  expect(await readKeys()).toEqual([{ data_key_id: dataKeyId, encrypted_by: 'after' }])
  await traffic.more()

  // Without the old key.
  for (const service of [...fleet.live]) {
    await fleet.start(createKeyRing(after))
    await traffic.retire(service)
    await traffic.more()
  }
  await traffic.stop()
  expect(traffic.refused).toEqual([])
  expect(faults).toEqual([])
  const [last] = fleet.live as [TestService]
  expect((await last.call('GetShipmentAccessCode', { shipmentUid: oldUid })).body).toEqual(codes)
  await vi.waitFor(
    async () => expect(await last.store.selectFrom('outbox').select('seq').execute()).toEqual([]),
    30_000,
  )
  for (const shipmentUid of traffic.shipmentUids) {
    const messages = receiver.received.filter(({ message }) => message.shipmentUid === shipmentUid)
    expect([...new Set(messages.map(({ message }) => message.stateCode))]).toEqual(life)
  }
  const hashes = await last.store.selectFrom('access_codes').select('data_key_id').execute()
  // Those of the old shipment.
  expect(hashes).toEqual([{ data_key_id: dataKeyId }, { data_key_id: dataKeyId }])
})

test('a rotation that a signal ends leaves every secret readable, and the next one leaves one data key', async () => {
  const keyEncryption = createKeyRing(newKey('one'))
  const fleet = await createFleet()
  const service = await fleet.start(keyEncryption)
  const { body: booked } = await service.call('CreateLocalShipmentAsStock', booking)
  const [shipmentUid = ''] = booked.shipmentUids as string[]
  const { body: codes } = await service.call('GetShipmentAccessCode', { shipmentUid })
  const registry = await openEncryption(fleet.databaseUrl, { keyEncryption, settling: 500 })
  onTestFinished(() => registry.close())
  const interruption = new AbortController()
  const rotating = registry.rotate(interruption.signal)
  await vi.waitFor(async () => expect((await registry.list()).dataKeys).toHaveLength(2))
  interruption.abort(new Error('interrupted by SIGTERM'))
  await expect(rotating).rejects.toThrow('interrupted by SIGTERM')
  expect((await service.call('GetShipmentAccessCode', { shipmentUid })).body).toEqual(codes)
  const { dataKeyId } = await registry.rotate()
  expect((await registry.list()).dataKeys).toEqual([{ dataKeyId, encryptedBy: ['one'] }])
  expect((await service.call('GetShipmentAccessCode', { shipmentUid })).body).toEqual(codes)
})

test('a process without the new key answers 503 instead of writing under the old data key', async () => {
  const [before, after] = [newKey('before'), newKey('after')]
  const fleet = await createFleet()
  const forgotten = await fleet.start(createKeyRing(before))
  const current = await fleet.start(createKeyRing(after, before))
  const registry = await openEncryption(fleet.databaseUrl, {
    keyEncryption: createKeyRing(after, before),
    settling: 500,
  })
  onTestFinished(() => registry.close())
  await registry.rotate()
  await vi.waitFor(async () => {
    const { status, body } = await forgotten.call('CreateLocalShipmentAsStock', booking)
    expect({ status, error: body.error }).toEqual({ status: 503, error: 'Unavailable' })
  })
  expect(forgotten.lines.map(({ msg }) => msg)).toContain('data key not readable')
  expect((await current.call('CreateLocalShipmentAsStock', booking)).status).toBe(200)
  const rows = await current.store.selectFrom('shipments').select(['pick_up_code']).execute()
  const [{ data_key_id } = { data_key_id: '' }] = await current.store.selectFrom('data_keys').selectAll().execute()
  expect(rows.filter(row => !row.pick_up_code?.startsWith(`v1.${data_key_id}.`))).toEqual([])
})

test('rotations at once leave one data key, even after one that was interrupted', async () => {
  const keyEncryption = createKeyRing(newKey('one'))
  const fleet = await createFleet()
  const service = await fleet.start(keyEncryption)
  const readKeyIds = () => service.store.selectFrom('data_keys').select('data_key_id').orderBy('used_from').execute()
  const open = async (wait: number) => {
    const registry = await openEncryption(fleet.databaseUrl, { keyEncryption, settling: wait })
    onTestFinished(() => registry.close())
    return registry
  }

  // Interrupted while processes read the announced data key.
  const interruption = new AbortController()
  const interrupted = (await open(600_000)).rotate(interruption.signal)
  await vi.waitFor(async () => expect(await readKeyIds()).toHaveLength(2))
  interruption.abort(new Error('interrupted by SIGTERM'))
  await expect(interrupted).rejects.toThrow('interrupted by SIGTERM')

  await service.call('CreateLocalShipmentAsStock', booking)
  const registries = await Promise.all(Array.from({ length: 6 }, () => open(500)))
  const rotations = await Promise.all(registries.map(registry => registry.rotate()))
  const [last, ...others] = await readKeyIds()
  expect(others).toEqual([])
  expect(rotations.map(({ dataKeyId }) => dataKeyId)).toContain(last?.data_key_id)
  const [shipment] = await service.store.selectFrom('shipments').select('pick_up_code').execute()
  expect(shipment?.pick_up_code).toMatch(new RegExp(`^v1\\.${last?.data_key_id}\\.`))
  const hashes = await service.store.selectFrom('access_codes').select('data_key_id').distinct().execute()
  expect(hashes).toEqual([last])
})

test('a rotation whose data key a later one has deleted fails', async () => {
  const keyEncryption = createKeyRing(newKey('one'))
  const { store } = await (await createFleet()).start(keyEncryption)
  const deleted = await generateDataKey(keyEncryption)
  await expect(inTransaction(store, tx => useDataKey(tx, deleted.data_key_id, 0))).rejects.toThrow(
    `data key ${deleted.data_key_id}: a later rotation has deleted it before its first use.`,
  )
})

test('during a rotation a code is free only if its hashes under both data keys are', async () => {
  const keyEncryption = createKeyRing(newKey('one'))
  const fleet = await createFleet()
  const { store, secrets } = await fleet.start(keyEncryption)
  const allocate = (...codes: string[]) => inTransaction(store, tx => insertFreeCodes({ tx, secrets }, 'square', codes))
  const readCodes = () => store.selectFrom('access_codes').select('code_hash').execute()
  expect(await allocate('000001', '000002')).toEqual(['000001', '000002'])
  const next = await generateDataKey(keyEncryption)
  await inTransaction(store, tx => announceDataKey(tx, next))
  await inTransaction(store, tx => useDataKey(tx, next.data_key_id, 60_000))
  await secrets.refresh()
  // These have no hash under the second data key yet.
  expect(await allocate('000001', '000003')).toEqual(['000003'])
  const hashes = secrets.hashCodes('square', ['000001', '000002', '000003']).map(({ code_hash }) => code_hash)
  const [one, , two, , ...three] = hashes
  expect((await readCodes()).map(({ code_hash }) => code_hash).sort()).toEqual([one, two, ...three].sort())
})

test('during a rotation a code is free again though the process that releases it read the data key earlier', async () => {
  const keyEncryption = createKeyRing(newKey('one'))
  const fleet = await createFleet()
  const { store, secrets: early } = await fleet.start(keyEncryption)
  const late = await openSecrets({ store, keyEncryption })
  const next = await generateDataKey(keyEncryption)
  const readKeyIds = () => store.selectFrom('access_codes').select('data_key_id').execute()
  const shipment = { shipment_uid: 'one', pup_uid: 'square', locker_uid: 'square-1' }

  /** Allocates a code at one process, and releases it at the other. */
  async function pass(from: Secrets, to: Secrets): Promise<number> {
    const codes = await inTransaction(store, tx => allocateAccessCodes({ tx, secrets: from }, 'square', 1))
    const hashes = await readKeyIds()
    const [pickUpCode = ''] = codes
    const encrypted = encryptAccessCodes({ secrets: from }, 'one', { pickUpCode })
    const ended = { ...shipment, pick_up_code: encrypted.pick_up_code ?? null, delivery_code: null } as ShipmentColumns
    await inTransaction(store, tx => releaseAccessCodes({ tx, secrets: to }, [ended]))
    expect(await readKeyIds()).toEqual([])
    return hashes.length
  }

  await inTransaction(store, tx => announceDataKey(tx, next))
  await early.refresh()
  // One has read the new data key, and the other has not.
  expect(await pass(early, late)).toBe(1)
  await late.refresh()
  await inTransaction(store, tx => useDataKey(tx, next.data_key_id, 60_000))
  await early.refresh()
  // Both have it, and one allocates with it already.
  expect(await pass(early, late)).toBe(2)
  expect(await pass(late, early)).toBe(1)
  await late.refresh()
  expect(await pass(late, early)).toBe(2)
})
