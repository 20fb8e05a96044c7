import { randomUUID } from 'node:crypto'
import { type DoorEvent, webhookHeaders, webhookSignature } from '#contract'

export const hardwareKey = 'current-hardware-key-of-the-tests'
export const previousHardwareKey = 'previous-hardware-key-of-the-tests'

export interface Signing {
  /** Newest first. */
  readonly keys?: readonly string[]
  readonly id?: string
  /** Seconds since 1970. */
  readonly timestamp?: number
}

/** A signed POST request. */
export function signed(body: string, signing: Signing = {}): RequestInit & { headers: Record<string, string> } {
  const { keys = [hardwareKey], id = randomUUID(), timestamp = Math.floor(Date.now() / 1_000) } = signing
  return {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      [webhookHeaders.id]: id,
      [webhookHeaders.timestamp]: String(timestamp),
      [webhookHeaders.signature]: webhookSignature(keys, id, timestamp, body),
    },
    body,
  }
}

/** An event of the first locker of the site, unless the fields name another one. */
export function eventOf(fields: Partial<DoorEvent> = {}): DoorEvent {
  return {
    type: 'event',
    event: 'opened',
    pupUid: 'square',
    lockerUid: 'square:S1',
    sequence: 1,
    occurredAt: new Date().toISOString(),
    ...fields,
  }
}
