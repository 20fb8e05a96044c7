import { type EncryptionListing, openEncryption, readDatabaseUrl, readKeyEncryption } from '#service'
import type { VerbAction } from '../command/verb.ts'

/** Lists the keys that encrypt secrets in the store. */
export const list: VerbAction = {
  async run({ output, environment }) {
    const registry = await openRegistry(environment)
    try {
      const listing = await registry.list()
      output.result(listing, () => formatListing(listing))
    } finally {
      await registry.close()
    }
  },
}

/** Replaces the data key, even while services run. */
export const rotate: VerbAction = {
  async run({ output, environment, signal }) {
    const registry = await openRegistry(environment)
    try {
      output.note('A rotation takes two minutes. Services continue meanwhile.')
      const rotation = await registry.rotate(signal)
      output.result(rotation, () => [
        `data key ${rotation.dataKeyId} encrypts all secrets, ${rotation.rows} rows encrypted again`,
      ])
    } finally {
      await registry.close()
    }
  },
}

function openRegistry(source: NodeJS.ProcessEnv) {
  return openEncryption(readDatabaseUrl(source), { keyEncryption: readKeyEncryption(source) })
}

function formatListing({ dataKeys, keyIds, unusedKeyIds }: EncryptionListing): string[] {
  return [
    ...dataKeys.map(({ dataKeyId, encryptedBy }) => `data key ${dataKeyId}: encrypted by ${encryptedBy.join(' and ')}`),
    ...keyIds.map((id, index) => `key ${id}: ${describeKey(index, unusedKeyIds.includes(id))}`),
  ]
}

function describeKey(index: number, isUnused: boolean): string {
  if (index === 0) return 'encrypts'
  return isUnused
    ? 'no longer needed, except for older backups'
    : 'needed, until a service has started with the first key'
}
