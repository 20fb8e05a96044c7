import type { Payload, PayloadCodec } from '@temporalio/common'
import { CodecError } from '../codecError.ts'
import { decrypt, encrypt, readKeyId } from '../encryptedPayload.ts'
import {
  mayHavePersonalFields,
  mergePersonal,
  type PersonalGroup,
  type PersonalValue,
  splitPersonal,
} from './fields.ts'
import type { PersonalKeys } from './keys.ts'

/**
 * Metadata inside an encrypted payload: the id of a person's key, and the values that it encrypts. Further persons have
 * `…-2`, `…-3`.
 */
const keyField = 'personal-key-id'
const dataField = 'personal-data'

type Metadata = NonNullable<Payload['metadata']>

/**
 * A process without the keys: `off` shows `[removed]`, and encrypts personal fields with the ring alone. `hide` shows
 * `[removed]`, and refuses to encrypt them. `fail` does neither. Both refusals name the setting (D-367).
 */
export type WithoutKeys = 'off' | 'hide' | 'fail'

/**
 * Encrypts the personal fields of a payload with the key of their person. When that key is forgotten, the fields read
 * `[removed]`. Names and addresses never decide what a flow does, so replays stay the same (D-196).
 */
export function createPersonalCodec(keys: PersonalKeys | WithoutKeys, encrypts = true): PayloadCodec {
  async function encode(payload: Payload): Promise<Payload> {
    const json = jsonOf(payload)
    if (keys === 'off' || !encrypts || json === undefined || !mayHavePersonalFields(json)) return payload
    const { rest, groups } = splitPersonal(JSON.parse(json))
    if (groups.length === 0) return payload
    if (typeof keys === 'string') {
      const problem = `must be set, or be off, to encrypt the personal ${describe(groups)}`
      throw new CodecError(problem, 'LOCKERFLOW_PERSONAL_KEYS_URL')
    }
    const sealed = await Promise.all(groups.map((group, index) => seal(keys, group, suffixOf(index))))
    return { metadata: Object.assign({ ...payload.metadata }, ...sealed), data: Buffer.from(JSON.stringify(rest)) }
  }

  async function decode(payload: Payload): Promise<Payload> {
    const metadata = payload.metadata ?? {}
    const suffixes = suffixesIn(metadata)
    if (suffixes.length === 0 || keys === 'off' || keys === 'hide') return payload
    if (keys === 'fail') {
      throw new CodecError('must be set, since a payload has personal fields', 'LOCKERFLOW_PERSONAL_KEYS_URL')
    }
    const opened = await Promise.all(suffixes.map(suffix => open(keys, metadata, suffix)))
    const others = Object.entries(metadata).filter(
      ([name]) => !name.startsWith(keyField) && !name.startsWith(dataField),
    )
    const merged = mergePersonal(JSON.parse(jsonOf(payload) ?? 'null'), opened.flat())
    return { ...payload, metadata: Object.fromEntries(others), data: Buffer.from(JSON.stringify(merged)) }
  }

  return {
    encode: payloads => Promise.all(payloads.map(encode)),
    decode: payloads => Promise.all(payloads.map(decode)),
  }
}

/** The metadata of one person; none if the account was removed. */
async function seal(keys: PersonalKeys, { person, values }: PersonalGroup, suffix: string): Promise<Metadata> {
  const found = await keys.keyFor(person)
  if (found === undefined) return {}
  return {
    [keyField + suffix]: Buffer.from(found.id),
    [dataField + suffix]: encrypt(found.key, Buffer.from(JSON.stringify(values))),
  }
}

/** The values of one person; none if the key is forgotten. */
async function open(keys: PersonalKeys, metadata: Metadata, suffix: string): Promise<readonly PersonalValue[]> {
  const [id, data] = [metadata[keyField + suffix], metadata[dataField + suffix]]
  if (id == null || data == null) return []
  const key = await keys.find(readKeyId(id))
  if (key === undefined) return []
  const plain = decrypt(key, data)
  if (plain === undefined) {
    throw new CodecError('must name the store of the personal keys of a payload', 'LOCKERFLOW_PERSONAL_KEYS_URL')
  }
  return JSON.parse(plain.toString())
}

function suffixOf(index: number): string {
  return index === 0 ? '' : `-${index + 1}`
}

function suffixesIn(metadata: Metadata): string[] {
  return Object.keys(metadata).flatMap(name => (name.startsWith(keyField) ? [name.slice(keyField.length)] : []))
}

/** The names of fields, without their values. */
function describe(groups: readonly PersonalGroup[]): string {
  const names = new Set(groups.flatMap(({ values }) => values.map(([path]) => path.at(-1))))
  return `${names.size === 1 ? 'field' : 'fields'} ${[...names].join(', ')}`
}

function jsonOf({ metadata, data }: Payload): string | undefined {
  if (metadata?.encoding == null || Buffer.from(metadata.encoding).toString() !== 'json/plain') return undefined
  return Buffer.from(data ?? []).toString()
}
