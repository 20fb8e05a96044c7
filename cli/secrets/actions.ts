import { type EncryptionListing, openEncryption, readDatabaseUrl, readKeyEncryption } from '#service'
import { isGiven } from '../command/values.ts'
import type { VerbCall } from '../command/verb.ts'

/** Lists the keys that encrypt secrets in the store, or replaces the data key, even while services run. */
export async function run(call: VerbCall): Promise<void> {
  const { output, environment, signal } = call
  const registry = await openEncryption(readDatabaseUrl(environment), { keyEncryption: readKeyEncryption(environment) })
  try {
    if (!isGiven(call, 'rotate')) {
      const listing = await registry.list()
      output.result(listing, () => formatListing(listing))
      return
    }
    output.note('A rotation takes two minutes. Services continue meanwhile.')
    const rotation = await registry.rotate(signal)
    output.result(rotation, () => [
      `data key ${rotation.dataKeyId} encrypts all secrets, ${rotation.rows} rows encrypted again`,
    ])
  } finally {
    await registry.close()
  }
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
