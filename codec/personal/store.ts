import { createHash, createSecretKey, type KeyObject, randomBytes, randomUUID } from 'node:crypto'
import { CodecError } from '../codecError.ts'
import type { KeyRing } from '../keyRing.ts'
import { type Database, openDatabase, type Row, type Value } from './database.ts'
import type { PersonalKey, PersonalKeys } from './keys.ts'
import { createSeal } from './seal.ts'

/** Milliseconds for which a process remembers a key, and so the most for which it reads the fields of a removed account. */
const maxAge = 60_000
const maxCached = 10_000

/**
 * Milliseconds after which a key that no account got is forgotten: the flow failed, or found an account of another
 * address. Longer than any flow waits for its account.
 */
const unassignedAge = 30 * 86_400_000

/** The table of the service's migration 0006, for a store of its own. */
const table = [
  `create table personal_keys (key_id text primary key, subject text unique, user_uid text, sealed_key text,
    created_at bigint not null, forgotten_at bigint)`,
  'create index personal_keys_by_user_uid on personal_keys (user_uid)',
]

/** Starters choose the uid in a payload, and PostgreSQL refuses a longer one in an index, and the character NUL. */
const uid = /^[^\p{Cc}\p{Cs}]{1,64}$/u

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
    const sql = 'select key_id from personal_keys where user_uid = ? and forgotten_at is not null limit 1'
    return (await all(sql, userUid)).length > 0
  }

  async function insert(subject: string | null, userUid: string | null): Promise<void> {
    const now = clock()
    await all(
      `update personal_keys set sealed_key = null, subject = null, forgotten_at = ?
       where user_uid is null and forgotten_at is null and created_at < ?`,
      now,
      now - unassignedAge,
    )
    await all(
      'insert into personal_keys (key_id, subject, user_uid, sealed_key, created_at) values (?, ?, ?, ?, ?) on conflict do nothing',
      ...[randomUUID(), subject, userUid, seal(randomBytes(32)), now],
    )
  }

  /** The key of an address. An address that moved to another account gets a new key. */
  async function requireKey(subject: string, userUid: string | undefined): Promise<PersonalKey> {
    for (;;) {
      const [row] = await all('select key_id, user_uid, sealed_key from personal_keys where subject = ?', subject)
      const key = row && unseal(row.sealed_key)
      const id = String(row?.key_id)
      if (row === undefined || key === undefined) await insert(subject, userUid ?? null)
      else if (userUid !== undefined && row.user_uid !== null && row.user_uid !== userUid) {
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
    const forgotten = await all(
      `update personal_keys set sealed_key = null, subject = null, forgotten_at = ?
       where user_uid = ? and forgotten_at is null returning key_id`,
      now,
      userUid,
    )
    // Refuses keys of flows that are still under way.
    await all(
      'insert into personal_keys (key_id, user_uid, created_at, forgotten_at) values (?, ?, ?, ?) on conflict do nothing',
      ...[`removed:${userUid}`, userUid, now, now],
    )
    return forgotten.length
  }

  return {
    async keyFor({ emailAddress, userUid: given }) {
      const userUid = given !== undefined && uid.test(given) ? given : undefined
      if (userUid !== undefined && (await isForgotten(userUid))) return undefined
      // With neither of both the key belongs to no account, and is forgotten by its age. An address contains no line break.
      const subject = createHash('sha256')
        .update(emailAddress?.toLowerCase() ?? (userUid === undefined ? randomUUID() : `uid\n${userUid}`))
        .digest('base64url')
      const key = await requireKey(subject, userUid)
      // The account may have been removed since the first check.
      if (userUid === undefined || !(await isForgotten(userUid))) return key
      await forget(userUid)
      return undefined
    },
    async find(id) {
      const cached = cache.get(id)
      if (cached !== undefined && cached.until > clock()) return cached.key
      const [row] = await all('select sealed_key from personal_keys where key_id = ?', id)
      if (row === undefined) {
        throw new CodecError(`must name the store that has the personal key ${id}`, 'LOCKERFLOW_PERSONAL_KEYS_URL')
      }
      const plain = unseal(row.sealed_key)
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
      await all(firstRow, '')
    },
    close: async () => (await opened)?.close(),
  }
}
