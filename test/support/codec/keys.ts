import { randomBytes } from 'node:crypto'
import type { DataConverter } from '@temporalio/common'
import { createDataConverter, type KeyRing, readKeyRing } from '#platform/codec'

/** An entry of LOCKERFLOW_CODEC_KEYS with a random key. */
export function newKey(id: string): string {
  return `${id}:${randomBytes(32).toString('base64')}`
}

/** A ring of such entries, the current key first. */
export function ringOf(...entries: readonly string[]): KeyRing {
  const ring = readKeyRing(entries.join(','))
  if (typeof ring === 'string') throw new Error(ring)
  return ring
}

/** The data converter of a process with these entries. */
export function converterOf(...entries: readonly string[]): DataConverter {
  return createDataConverter(ringOf(...entries))
}
