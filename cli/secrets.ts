import { argv } from 'node:process'
import { resealPersonalKeys } from '#codec'
import { type EncryptionListing, openEncryption, readDatabaseUrl, readKeyEncryption } from '#service'
import { createCommandLine } from './commandLine.ts'

const usage = 'npm run secrets -- list | rotate | reseal, each with [--json]'

const { parse, usageError } = createCommandLine(usage, { json: { type: 'boolean' } })

// The command changes the store directly, also while services run.
try {
  const { action, json } = readArguments(argv.slice(2))
  if (action === 'reseal') {
    const keys = await resealPersonalKeys()
    print(json, { keys }, [
      `${keys} keys of persons encrypted again, the first key of LOCKERFLOW_CODEC_KEYS encrypts all`,
    ])
  } else await changeStore(action, json)
} catch (error) {
  console.error(`secrets: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
}

async function changeStore(action: 'list' | 'rotate', json: boolean): Promise<void> {
  const registry = await openEncryption(readDatabaseUrl(), { keyEncryption: readKeyEncryption() })
  try {
    if (action === 'list') {
      const listing = await registry.list()
      print(json, listing, formatListing(listing))
    } else {
      if (!json) console.log('A rotation takes a minute and a half, and services go on meanwhile.')
      const rotation = await registry.rotate()
      print(json, rotation, [
        `data key ${rotation.dataKeyId} encrypts all secrets, ${rotation.rows} rows encrypted again`,
      ])
    }
  } finally {
    await registry.close()
  }
}

function print(json: boolean, result: object, lines: readonly string[]): void {
  console.log(json ? JSON.stringify(result, undefined, 2) : lines.join('\n'))
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
    ? 'not needed any more, except for older backups'
    : 'needed, until a service has started with the first key'
}

/** @throws Error with the usage */
function readArguments(args: readonly string[]): { action: 'list' | 'rotate' | 'reseal'; json: boolean } {
  const { positionals, values } = parse(args)
  const [action, ...others] = positionals
  const isKnown = action === 'list' || action === 'rotate' || action === 'reseal'
  if (isKnown && others.length === 0) return { action, json: values.json ?? false }
  throw usageError('The action must be list, rotate or reseal.')
}
