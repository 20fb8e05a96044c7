import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { createKeyRing, type KeyEncryption, openEncryption } from '#service'
import { tableNames, withAnyTable } from '../../../service/store/copy/tables.ts'
import type { Store } from '../../../service/store/index.ts'
import { toPath } from '../../../service/store/sqlite/open.ts'
import { temporaryFile, temporaryStore } from '../../support/service/temporaryStore.ts'
import { startTestService, type TestService } from '../../support/service/testService.ts'
import { booking, topology } from '../../support/service/topology.ts'

const keyRing = (id: string) => createKeyRing({ id, key: randomBytes(32) })

/** A service with a key ring of its own, two callback keys, and codes of two shipments that share one. */
async function startFilled(keyEncryption: KeyEncryption) {
  const databaseUrl = await temporaryStore()
  const service = await startTestService({ databaseUrl, topology, keyEncryption })
  onTestFinished(() => service.stop())
  const callbackKeys = ['the-first-callback-key', 'the-second-callback-key']
  for (const authKey of callbackKeys) {
    const url = 'http://127.0.0.1:9/callbacks'
    await service.call('ConfigureCallback', { url, authType: 'HMAC', authKey, resetKey: false })
  }
  const { body } = await service.call('CreateLocalShipmentAsStock', booking)
  const [shipmentUid = ''] = body.shipmentUids as string[]
  const codes = await readCodes(service, shipmentUid)
  return { databaseUrl, service, callbackKeys, shipmentUid, codes }
}

async function readCodes(service: TestService, shipmentUid: string) {
  const { body } = await service.call('GetShipmentAccessCode', { shipmentUid })
  return { pickUpCode: String(body.pickUpCode), deliveryCode: String(body.deliveryCode) }
}

/** Every value of every row. */
async function readAllValues(store: Store): Promise<readonly string[]> {
  const values: string[] = []
  for (const table of tableNames) {
    for (const row of await withAnyTable(store).selectFrom(table).selectAll().execute()) {
      values.push(...Object.values(row).map(String))
    }
  }
  return values
}

test('the store contains no signing key, callback key or access code in clear', async () => {
  const { service, callbackKeys, codes } = await startFilled(keyRing('one'))
  const { store } = service
  const values = await readAllValues(store)
  expect(values).toContain('acme')
  // As part of another value too, except for the codes, whose six digits are a part of many numbers.
  for (const key of callbackKeys) expect(values.filter(value => value.includes(key))).toEqual([])
  for (const code of Object.values(codes)) {
    expect(code).toMatch(/^\d{6}$/)
    expect(values.filter(value => value === code)).toEqual([])
  }
  const [key] = await store.selectFrom('signing_keys').selectAll().execute()
  expect(JSON.parse(key?.jwk ?? '')).not.toHaveProperty('d')
  expect(key?.private_jwk).toMatch(/^v1\./)
})

test('a value decrypts for its row, column and store only', async () => {
  const { service, shipmentUid } = await startFilled(keyRing('one'))
  const { secrets } = service
  const other = await startFilled(keyRing('one'))
  const encrypted = secrets.encrypt('shipments.pick_up_code', shipmentUid, '123456')
  expect(secrets.decrypt('shipments.pick_up_code', shipmentUid, encrypted)).toBe('123456')
  expect(secrets.encrypt('shipments.pick_up_code', shipmentUid, '123456')).not.toBe(encrypted)
  expect(() => secrets.decrypt('shipments.delivery_code', shipmentUid, encrypted)).toThrow()
  expect(() => secrets.decrypt('shipments.pick_up_code', other.shipmentUid, encrypted)).toThrow()
  expect(() => other.service.secrets.decrypt('shipments.pick_up_code', shipmentUid, encrypted)).toThrow()
  const at = encrypted.length - 10
  const changed = encrypted.slice(0, at) + (encrypted[at] === 'A' ? 'B' : 'A') + encrypted.slice(at + 1)
  expect(() => secrets.decrypt('shipments.pick_up_code', shipmentUid, changed)).toThrow()
  expect(() => secrets.decrypt('shipments.pick_up_code', shipmentUid, '123456')).toThrow('must be encrypted')
})

test('a service with other keys does not start, and names the key that it needs', async () => {
  const keyEncryption = keyRing('one')
  const { databaseUrl, service, shipmentUid, codes } = await startFilled(keyEncryption)
  await service.stop()
  const start = (keys: KeyEncryption) => startTestService({ databaseUrl, topology, keyEncryption: keys })
  await expect(start(keyRing('two'))).rejects.toThrow(/^LOCKERFLOW_STORE_KEYS: must contain the key one, /)
  await expect(start(keyRing('one'))).rejects.toThrow(/^LOCKERFLOW_STORE_KEYS: the key one must be the one /)
  await expect(openEncryption(databaseUrl, { keyEncryption: keyRing('two') }).then(it => it.rotate())).rejects.toThrow(
    'must contain the key one',
  )
  const again = await start(keyEncryption)
  onTestFinished(() => again.stop())
  expect(await readCodes(again, shipmentUid)).toEqual(codes)
})

test('a key management service encrypts the data keys, and is not called by requests', async () => {
  const key = randomBytes(32)
  const inside = createKeyRing({ id: 'managed', key })
  let calls = 0
  const managed: KeyEncryption = {
    keyIds: inside.keyIds,
    encrypt(...given) {
      calls += 1
      return inside.encrypt(...given)
    },
    decrypt(...given) {
      calls += 1
      return inside.decrypt(...given)
    },
  }
  const { service, shipmentUid, codes } = await startFilled(managed)
  expect(calls).toBeGreaterThan(0)
  const before = calls
  for (let count = 0; count < 3; count++) expect(await readCodes(service, shipmentUid)).toEqual(codes)
  await service.call('CancelShipment', { shipmentUid })
  expect(calls).toBe(before)
})

test('a store in staging that is restored without its key, or with another one, names the file and makes no key', async () => {
  const databaseUrl = temporaryFile()
  const file = `${toPath(databaseUrl)}.key`
  const service = await startTestService({ databaseUrl, topology })
  await service.stop()
  const key = readFileSync(file)
  rmSync(file)
  const missing = new RegExp(
    `^LOCKERFLOW_STORE_KEYS: must have the keys of the store, since there is no file ${file}\\.`,
  )
  await expect(startTestService({ databaseUrl, topology })).rejects.toThrow(missing)
  await expect(openEncryption(databaseUrl)).rejects.toThrow(missing)
  expect(existsSync(file)).toBe(false)
  writeFileSync(file, `staging:${randomBytes(32).toString('base64')}\n`)
  const other = new RegExp(`^LOCKERFLOW_STORE_KEYS: the key staging in ${file} must be the one that encrypts`)
  await expect(startTestService({ databaseUrl, topology })).rejects.toThrow(other)
  await expect(openEncryption(databaseUrl).then(it => it.rotate())).rejects.toThrow(other)
  writeFileSync(file, key)
  await (await startTestService({ databaseUrl, topology })).stop()
})

test('staging makes a key beside an embedded store, which only the owner can read', async () => {
  const databaseUrl = temporaryFile()
  const file = `${toPath(databaseUrl)}.key`
  const first = await startTestService({ databaseUrl, topology })
  await first.stop()
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const text = readFileSync(file, 'utf8')
  expect(text).toMatch(/^staging:[\w+/]{43}=\n$/)
  chmodSync(file, 0o644)
  const second = await startTestService({ databaseUrl, topology })
  await second.stop()
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readFileSync(file, 'utf8')).toBe(text)
  const memory = await startTestService({ databaseUrl: 'file::memory:' })
  await memory.stop()
  expect(existsSync(':memory:.key')).toBe(false)
})
