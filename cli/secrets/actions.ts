import { readCodecKeys, resealPersonalKeys } from '#platform/codec'
import { type EncryptionListing, openAuditLog, openEncryption, readDatabaseUrl, readKeyEncryption } from '#service'
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

/** Encrypts the keys of persons again. Their store need not be the service's, which has the audit log. */
export const reseal: VerbAction = {
  async run({ output, environment }) {
    const keys = await resealPersonalKeys(environment)
    if (keys > 0) await recordReseal(environment, text => output.note(text))
    output.result({ keys }, () => [
      `${keys} ${keys === 1 ? 'key' : 'keys'} of persons encrypted again; the first key of LOCKERFLOW_CODEC_KEYS encrypts all of them`,
    ])
  },
}

async function recordReseal(environment: NodeJS.ProcessEnv, note: (text: string) => void): Promise<void> {
  if (!environment.LOCKERFLOW_DATABASE_URL && !environment.LOCKERFLOW_DATABASE_URL_FILE) {
    return note('LOCKERFLOW_DATABASE_URL is not set, so no audit log records this.')
  }
  const log = await openAuditLog(readDatabaseUrl(environment))
  try {
    await log.addPersonalRotation(readCodecKeys(environment).current?.id ?? '')
  } finally {
    await log.close()
  }
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
