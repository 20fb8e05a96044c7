import { createHash, createSecretKey, type KeyObject, randomBytes, randomUUID } from 'node:crypto'
import { unassignedKeyAge } from '#contract/terms'
import { CodecError } from '../codecError.ts'
import type { KeyRing } from '../keyRing.ts'
import { type Database, openDatabase, type Row, type Value } from './database.ts'
import type { PersonalKey, PersonalKeys } from './keys.ts'
import { createSeal } from './seal.ts'

/** Milliseconds for which a process remembers a key, and so the most for which it reads the fields of a removed account. */
const maxAge = 60_000
const maxCached = 10_000

/** Milliseconds after which a process forgets the keys again that were never assigned to an account. The service's retention does the same in its database. */
const purgeInterval = 3_600_000

/** The table of the service's migration 0003, for a store of its own. */
const table = [
  `create table personal_keys (key_id text primary key, subject text unique, address text, user_uid text, sealed_key text,
    created_at bigint not null, forgotten_at bigint)`,
  'create index personal_keys_by_user_uid on personal_keys (user_uid)',
  'create index personal_keys_by_address on personal_keys (address) where address is not null',
  `create index personal_keys_by_created_at on personal_keys (created_at)
    where user_uid is null and forgotten_at is null`,
]

/** Neither the key nor the hash of the address stays. */
const blank = 'sealed_key = null, subject = null, address = null'

/** Starters choose the uid in a payload, and PostgreSQL refuses a longer one in an index, and the character NUL. */
const uid = /^[^\p{Cc}\p{Cs}]{1,64}$/u

/** The row that refuses keys of a removed account. */
const removedId = (userUid: string) => `removed:${userUid}`

const hash = (text: string) => createHash('sha256').update(text).digest('base64url')

/** A read that costs nothing. */
const firstRow = 'select key_id from personal_keys where key_id = ?'

/**
 * The keys of persons in a database, which is opened when it is first needed: the service's own, whose RemoveAccount forgets them in its transaction, or any
 * other. Creates the table if it is missing. The keys are encrypted by the ring.
 * @param clock milliseconds since 1970
 */
export function openPersonalKeys(url: string, ring: KeyRing, clock = Date.now): PersonalKeys {
  let opened: Promise<Database> | undefined
  const cache = new Map<string, { readonly key: KeyObject | undefined; readonly until: number }>()

  async function open(): Promise<Database> {
    const database = await openDatabase(url)
    const isThere = () => database.all(firstRow, '')
    try {
      await isThere().catch(async () => {
        // Several processes may start at once: then one of them creates the table.
        for (const statement of table) await database.all(statement).catch(() => undefined)
        return isThere()
      })
      return database
    } catch (error) {
      // Opened again at the next use, and by each health check.
      await database.close().catch(() => undefined)
      throw error
    }
  }

  async function all(sql: string, ...parameters: readonly Value[]): Promise<Row[]> {
    try {
      opened ??= open()
      return await (await opened).all(sql, ...parameters)
    } catch (error) {
      opened = undefined
      const reason = error instanceof Error ? error.message : String(error)
      throw new CodecError(`must name a store that can be reached: ${reason}`, 'LOCKERFLOW_PERSONAL_KEYS_URL')
    }
  }

  const { seal, unseal, isCurrent } = createSeal(ring)

  async function isForgotten(userUid: string): Promise<boolean> {
    return (await all(firstRow, removedId(userUid))).length > 0
  }

  let purgedAt: number | undefined

  /** Forgets the keys that were not assigned to an account in time: the flow failed, or found an account of another address. */
  async function purge(): Promise<void> {
    const now = clock()
    if (purgedAt !== undefined && now - purgedAt < purgeInterval) return
    purgedAt = now
    await all(
      `update personal_keys set ${blank}, forgotten_at = ?
       where user_uid is null and forgotten_at is null and created_at < ?`,
      now,
      now - unassignedKeyAge,
    )
  }

  const isExpired = ({ user_uid, created_at }: Row) =>
    user_uid === null && Number(created_at) < clock() - unassignedKeyAge

  /** The key of a subject. An address that a payload gives to another account gets a new key. */
  async function requireKey(
    subject: string,
    address: string | null,
    userUid: string | undefined,
  ): Promise<PersonalKey> {
    const find = 'select key_id, user_uid, sealed_key, created_at from personal_keys where subject = ?'
    for (;;) {
      const [row] = await all(find, subject)
      const key = row && unseal(row.sealed_key)
      const id = String(row?.key_id)
      if (row === undefined || key === undefined) {
        await all(
          `insert into personal_keys (key_id, subject, address, user_uid, sealed_key, created_at)
           values (?, ?, ?, ?, ?, ?) on conflict do nothing`,
          ...[randomUUID(), subject, address, userUid ?? null, seal(randomBytes(32)), clock()],
        )
      } else if (isExpired(row)) {
        const sql = `update personal_keys set ${blank}, forgotten_at = ? where key_id = ? and user_uid is null`
        await all(sql, clock(), id)
      } else if (userUid !== undefined && row.user_uid !== null && row.user_uid !== userUid) {
        await all('update personal_keys set subject = null where key_id = ?', id)
      } else {
        if (userUid !== undefined && row.user_uid === null) {
          await all('update personal_keys set user_uid = ? where key_id = ? and user_uid is null', userUid, id)
        }
        return { id, key: createSecretKey(key) }
      }
    }
  }

  async function forget(userUid: string): Promise<number> {
    cache.clear()
    const now = clock()
    // Payloads name the uid of an address, and a starter may have mistyped one: the uids of one address are one person.
    const forgotten = await all(
      `update personal_keys set ${blank}, user_uid = ?, forgotten_at = ?
       where forgotten_at is null
         and (user_uid = ? or address in (select address from personal_keys where user_uid = ?)) returning key_id`,
      ...[userUid, now, userUid, userUid],
    )
    // Refuses keys of flows that are still under way.
    await all(
      'insert into personal_keys (key_id, user_uid, created_at, forgotten_at) values (?, ?, ?, ?) on conflict do nothing',
      ...[removedId(userUid), userUid, now, now],
    )
    return forgotten.length
  }

  return {
    async keyFor({ emailAddress, userUid: given }) {
      const userUid = given !== undefined && uid.test(given) ? given : undefined
      await purge()
      if (userUid !== undefined && (await isForgotten(userUid))) return undefined
      // Without either, the key belongs to no account, and is forgotten by its age. An address contains no line break.
      const address = emailAddress === undefined ? null : hash(emailAddress.toLowerCase())
      const subject = address ?? hash(userUid === undefined ? randomUUID() : `uid\n${userUid}`)
      const key = await requireKey(subject, address, userUid)
      // The account may have been removed since the first check.
      if (userUid === undefined || !(await isForgotten(userUid))) return key
      await forget(userUid)
      return undefined
    },
    async find(id) {
      const cached = cache.get(id)
      if (cached !== undefined && cached.until > clock()) return cached.key
      const [row] = await all('select user_uid, sealed_key, created_at from personal_keys where key_id = ?', id)
      if (row === undefined) {
        throw new CodecError(`must name the store that has the personal key ${id}`, 'LOCKERFLOW_PERSONAL_KEYS_URL')
      }
      const plain = isExpired(row) ? undefined : unseal(row.sealed_key)
      const key = plain && createSecretKey(plain)
      const [oldest] = cache.keys()
      if (cache.size >= maxCached && oldest !== undefined) cache.delete(oldest)
      cache.set(id, { key, until: clock() + maxAge })
      return key
    },
    forget,
    async reseal() {
      let [count, last] = [0, '']
      for (;;) {
        const rows = await all(
          'select key_id, sealed_key from personal_keys where key_id > ? and sealed_key is not null order by key_id limit 500',
          last,
        )
        for (const { key_id, sealed_key } of rows) {
          const plain = isCurrent(sealed_key) ? undefined : unseal(sealed_key)
          if (plain === undefined) continue
          const sealed = seal(plain)
          // A key that was forgotten meanwhile stays forgotten.
          const sql =
            'update personal_keys set sealed_key = ? where key_id = ? and sealed_key is not null returning key_id'
          count += (await all(sql, sealed, String(key_id))).length
        }
        last = String(rows.at(-1)?.key_id ?? '')
        if (last === '') return count
      }
    },
    async check() {
      await purge()
      await all(firstRow, '')
    },
    close: async () => (await opened)?.close(),
  }
}
