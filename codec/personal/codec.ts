import type { Payload, PayloadCodec } from '@temporalio/common'
import { CodecError } from '../codecError.ts'
import { decrypt, encrypt } from '../encryptedPayload.ts'
import { mayHavePersonalFields, mergePersonal, type PersonalValue, splitPersonal } from './fields.ts'
import type { PersonalKeys } from './keys.ts'

/** Metadata inside an encrypted payload: the id of the person's key, and the values that it encrypts. */
const keyField = 'personal-key-id'
const dataField = 'personal-data'

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
    const { rest, values, person } = splitPersonal(JSON.parse(json))
    if (values.length === 0) return payload
    if (typeof keys === 'string') {
      const problem = `must be set, or be off, to encrypt the personal ${describe(values)}`
      throw new CodecError(problem, 'LOCKERFLOW_PERSONAL_KEYS_URL')
    }
    const found = await keys.keyFor(person)
    const sealed = found && {
      [keyField]: Buffer.from(found.id),
      [dataField]: encrypt(found.key, Buffer.from(JSON.stringify(values))),
    }
    return { metadata: { ...payload.metadata, ...sealed }, data: Buffer.from(JSON.stringify(rest)) }
  }

  async function decode(payload: Payload): Promise<Payload> {
    const { [keyField]: id, [dataField]: data, ...metadata } = payload.metadata ?? {}
    if (id == null || data == null || keys === 'off' || keys === 'hide') return payload
    if (keys === 'fail') {
      throw new CodecError('must be set, since a payload has personal fields', 'LOCKERFLOW_PERSONAL_KEYS_URL')
    }
    const key = await keys.find(Buffer.from(id).toString())
    if (key === undefined) return { ...payload, metadata }
    const plain = decrypt(key, data)
    if (plain === undefined) {
      throw new CodecError('must name the store of the personal keys of a payload', 'LOCKERFLOW_PERSONAL_KEYS_URL')
    }
    const merged = mergePersonal(JSON.parse(jsonOf(payload) ?? 'null'), JSON.parse(plain.toString()))
    return { ...payload, metadata, data: Buffer.from(JSON.stringify(merged)) }
  }

  return {
    encode: payloads => Promise.all(payloads.map(encode)),
    decode: payloads => Promise.all(payloads.map(decode)),
  }
}

/** The names of fields, without their values. */
function describe(values: readonly PersonalValue[]): string {
  const names = new Set(values.map(([path]) => path.at(-1)))
  return `${names.size === 1 ? 'field' : 'fields'} ${[...names].join(', ')}`
}

function jsonOf({ metadata, data }: Payload): string | undefined {
  if (metadata?.encoding == null || Buffer.from(metadata.encoding).toString() !== 'json/plain') return undefined
  return Buffer.from(data ?? []).toString()
}
