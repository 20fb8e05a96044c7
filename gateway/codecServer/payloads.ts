import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { Payload, PayloadCodec } from '@temporalio/common'
import { z } from 'zod'

/** Objects and lists of one request. A page of a history has at most 1,000 events, and an encrypted payload is two objects. */
const maxObjects = 40_000

/** Characters in base64, and payloads, that the codecs get at once: a few milliseconds of work. */
const batchSize = 100_000
const batchLength = 50

const base64 = z.string().regex(/^[A-Za-z0-9+/_=-]*$/)
const jsonPayload = z.object({ metadata: z.record(z.string(), base64).optional(), data: base64.optional() })
// Temporal writes JSON by the rules of protobuf, which leave an empty list out: for a query without arguments, for instance.
const body = z.strictObject({ payloads: z.array(z.unknown()).default([]) })

type JsonPayload = z.infer<typeof jsonPayload>

/** The body of a request is not one of Temporal's remote codec protocol. */
export class MalformedPayloads extends Error {}

/**
 * False for a text with more objects than payloads of one request have: parsing it would block the event loop for seconds.
 * Base64 contains no brace and no bracket.
 */
export function mayBePayloads(json: string): boolean {
  let left = maxObjects
  for (const opening of ['{', '[']) {
    for (let at = json.indexOf(opening); at !== -1; at = json.indexOf(opening, at + 1)) {
      if (--left < 0) return false
    }
  }
  return true
}

/**
 * Decodes or encodes the payloads of a request. Between batches the event loop answers others.
 * @returns the body of the response, as JSON
 * @throws MalformedPayloads for another body
 * @throws CodecError for a payload that the codecs refuse
 */
export async function convertPayloads(codecs: PayloadCodec[], direction: Direction, value: unknown): Promise<string> {
  const parsed = body.safeParse(value)
  if (!parsed.success) throw new MalformedPayloads()
  const texts: string[] = []
  for (const batch of toBatches(parsed.data.payloads)) {
    const converted = await convert(codecs, direction, batch.map(fromJson))
    texts.push(...converted.map(payload => JSON.stringify(toJson(payload))))
    await yieldToEventLoop()
  }
  return `{"payloads":[${texts.join(',')}]}`
}

export type Direction = 'decode' | 'encode'

async function convert(codecs: PayloadCodec[], direction: Direction, payloads: Payload[]): Promise<Payload[]> {
  let done = payloads
  for (const codec of direction === 'decode' ? codecs.toReversed() : codecs) done = await codec[direction](done)
  return done
}

/** Checks each payload when its batch is due, since the check of all would block the event loop too. */
function* toBatches(values: readonly unknown[]): Generator<JsonPayload[]> {
  let batch: JsonPayload[] = []
  let size = 0
  for (const value of values) {
    const parsed = jsonPayload.safeParse(value)
    if (!parsed.success) throw new MalformedPayloads()
    batch.push(parsed.data)
    size += parsed.data.data?.length ?? 0
    if (batch.length < batchLength && size < batchSize) continue
    yield batch
    batch = []
    size = 0
  }
  if (batch.length > 0) yield batch
}

function fromJson({ metadata = {}, data }: JsonPayload): Payload {
  const bytes = Object.entries(metadata).map(([name, text]) => [name, Buffer.from(text, 'base64')] as const)
  return { metadata: Object.fromEntries(bytes), ...(data !== undefined && { data: Buffer.from(data, 'base64') }) }
}

function toJson({ metadata, data }: Payload): JsonPayload {
  const texts = Object.entries(metadata ?? {}).map(([name, bytes]) => [name, toBase64(bytes)] as const)
  return { ...(texts.length > 0 && { metadata: Object.fromEntries(texts) }), ...(data && { data: toBase64(data) }) }
}

function toBase64({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('base64')
}
