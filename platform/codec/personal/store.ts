import { createHash, createSecretKey, type KeyObject, randomUUID } from 'node:crypto'
import { unassignedKeyAge } from '#contract/terms'
import { CodecError } from '../codecError.ts'
import type { KeyRing } from '../keyRing.ts'
import { chooseKey, isExpired } from './chooseKey.ts'
import type { PersonalKeys } from './keys.ts'
import { createSeal, reseal } from './seal.ts'
import { statements } from './statements.ts'
import { openTable } from './table.ts'

/** Milliseconds for which a process remembers a key, and so the most for which it reads the fields of a removed account. */
const maxAge = 60_000
const maxCached = 10_000

/** Milliseconds between two purges of keys that no account got. The retention of the service purges its own database. */
const purgeInterval = 3_600_000

/** Starters choose the uid in a payload, and PostgreSQL refuses a longer one in an index, and the character NUL. */
const uid = /^[^\p{Cc}\p{Cs}]{1,64}$/u

/** The row that refuses keys of a removed account. */
const removedId = (userUid: string) => `removed:${userUid}`

const hash = (text: string) => createHash('sha256').update(text).digest('base64url')

/**
 * Stores the keys of persons in a database, encrypted by the ring. The database is the service's own, whose RemoveAccount
 * forgets keys in its transaction, or another one.
 * @param clock milliseconds since 1970
 */
export function openPersonalKeys(url: string, ring: KeyRing, clock = Date.now): PersonalKeys {
  const { all, close } = openTable(url)
  const seal = createSeal(ring)
  const cache = new Map<string, { readonly key: KeyObject | undefined; readonly until: number }>()
  let purgedAt: number | undefined

  async function isForgotten(userUid: string): Promise<boolean> {
    return (await all(statements.findId, removedId(userUid))).length > 0
  }

  async function purge(): Promise<void> {
    const now = clock()
    if (purgedAt !== undefined && now - purgedAt < purgeInterval) return
    purgedAt = now
    await all(statements.forgetExpired, now, now - unassignedKeyAge)
  }

  async function forget(userUid: string): Promise<number> {
    cache.clear()
    const now = clock()
    const forgotten = await all(statements.forgetPerson, userUid, now, userUid, userUid)
    // Refuses keys of flows that are still under way.
    await all(statements.insertRemoved, removedId(userUid), userUid, now, now)
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
      const key = await chooseKey(all, seal, clock, { subject, address, userUid })
      // The account may have been removed since the first check.
      if (userUid === undefined || !(await isForgotten(userUid))) return key
      await forget(userUid)
      return undefined
    },
    async find(id) {
      const cached = cache.get(id)
      if (cached !== undefined && cached.until > clock()) return cached.key
      // A caller of /decode chooses the id, and PostgreSQL refuses the character NUL: not a failure of the store.
      const [row] = id.includes('\0') ? [] : await all(statements.findKey, id)
      if (row === undefined) {
        throw new CodecError(`must name the store that has the personal key ${id}`, 'LOCKERFLOW_PERSONAL_KEYS_URL')
      }
      const plain = isExpired(row, clock()) ? undefined : seal.unseal(row.sealed_key)
      const key = plain && createSecretKey(plain)
      const [oldest] = cache.keys()
      if (cache.size >= maxCached && oldest !== undefined) cache.delete(oldest)
      cache.set(id, { key, until: clock() + maxAge })
      return key
    },
    forget,
    reseal: () => reseal(all, seal),
    async check() {
      await purge()
      await all(statements.findId, '')
    },
    close,
  }
}
