import type { Payload } from '@temporalio/common'

/** Members with payloads that Temporal reads itself and no codec encrypts. */
const unencoded = ['searchAttributes', 'header']

/** All payloads of a history, as Temporal stores them, without search attributes and headers. */
export function payloadsIn(value: unknown): Payload[] {
  if (value === null || typeof value !== 'object' || value instanceof Uint8Array) return []
  if (isPayload(value)) return [value]
  return Object.entries(value).flatMap(([name, member]) => (unencoded.includes(name) ? [] : payloadsIn(member)))
}

function isPayload(value: object): value is Payload {
  return (
    'metadata' in value && typeof value.metadata === 'object' && value.metadata !== null && 'encoding' in value.metadata
  )
}

/** The encodings of payloads, each once. */
export function encodingsOf(payloads: readonly Payload[]): string[] {
  return [...new Set(payloads.map(({ metadata }) => textOf(metadata?.encoding)))].sort()
}

/** The ids of the keys that encrypted payloads, each once. */
export function keyIdsOf(payloads: readonly Payload[]): string[] {
  return [...new Set(payloads.map(({ metadata }) => textOf(metadata?.['encryption-key-id'])))].sort()
}

export function textOf(bytes: Uint8Array | null | undefined): string {
  return Buffer.from(bytes ?? []).toString()
}

/** A payload as a codec server reads and writes it. */
export function toJson({ metadata, data }: Payload) {
  return {
    metadata: Object.fromEntries(
      Object.entries(metadata ?? {}).map(([name, value]) => [name, Buffer.from(value).toString('base64')]),
    ),
    data: Buffer.from(data ?? []).toString('base64'),
  }
}
