import { createSecretKey, hkdfSync } from 'node:crypto'
import type { Logger } from 'pino'
import type { AuditEntry } from '../audit/index.ts'
import type { Store } from '../store/index.ts'
import { createFirstDataKey, decryptDataKey, encryptUnderFirstKey, keyLength } from './dataKeyEncryption.ts'
import { type DataKeyRow, notYet, readDataKeys } from './dataKeyRows.ts'
import type { KeyEncryption } from './keyEncryption.ts'
import {
  createSecrets,
  type DataKeys,
  type ReadableDataKey,
  type Secrets,
  toHashKey,
  type UnreadableDataKey,
} from './secrets.ts'

export interface OpenSecretsOptions {
  readonly store: Store
  readonly keyEncryption: KeyEncryption
  readonly log?: Pick<Logger, 'error'>
  /** Who opens the store, for the audit log. A process of the service by default. */
  readonly actor?: AuditEntry['actor']
}

/**
 * Reads the data keys of a store into memory. Creates the first one, and encrypts every one under the first
 * key-encryption key, so that older keys can leave the setting at a later start.
 * @throws SettingsError when no key-encryption key decrypts a data key
 */
export async function openSecrets({
  store,
  keyEncryption,
  log,
  actor = 'service',
}: OpenSecretsOptions): Promise<Secrets> {
  await createFirstDataKey(store, keyEncryption)
  const state = { keys: await read(undefined) }
  await encryptUnderFirstKey(store, keyEncryption, actor)
  let last: Promise<void> = Promise.resolve()
  let next: Promise<void> | undefined

  async function read(previous: DataKeys | undefined): Promise<DataKeys> {
    const rows = Map.groupBy(await readDataKeys(store), ({ data_key_id }) => data_key_id)
    const readAt = performance.now()
    const known = new Map(previous?.known)
    const current: (ReadableDataKey | UnreadableDataKey)[] = []
    for (const [id, copies] of rows) {
      const [{ wait, used_from }] = copies as [DataKeyRow]
      const times = { usedFrom: readAt + wait, announced: used_from === notYet }
      try {
        const material = known.get(id) ?? deriveKeys(await decryptDataKey(keyEncryption, copies))
        const key = { ...material, id, ...times }
        known.set(id, key)
        current.push(key)
      } catch (error) {
        if (previous === undefined) throw error
        // From then on this process encrypts nothing: a rotation could delete the data key that it still has.
        current.push({ id, ...times })
        log?.error({ logId: 'data-key-not-readable', err: error, dataKeyId: id }, 'data key not readable')
      }
    }
    return { current, known }
  }

  /** Never returns the result of a read that started before it. */
  async function readAfter(earlier: Promise<void>): Promise<void> {
    await earlier.catch(() => undefined)
    next = undefined
    state.keys = await read(state.keys)
  }

  function refresh(): Promise<void> {
    if (next === undefined) {
      next = readAfter(last)
      last = next
    }
    return next
  }

  return createSecrets(state, refresh)
}

function deriveKeys(dataKey: Uint8Array): Pick<ReadableDataKey, 'encryptionKey' | 'hashKey'> {
  const derive = (use: string) => new Uint8Array(hkdfSync('sha256', dataKey, '', `lockerflow ${use}`, keyLength))
  return { encryptionKey: createSecretKey(derive('encryption')), hashKey: toHashKey(derive('access codes')) }
}
