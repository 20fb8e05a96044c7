import { createHash } from 'node:crypto'
import { canonicalJson } from '#contract/terms'

/** SHA-256 in hex of a value's canonical JSON: two requests that mean the same to the service have the same. */
export function fingerprint(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex')
}
