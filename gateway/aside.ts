import { createHash } from 'node:crypto'

/** A message that can never be accepted, without what it says: descriptions and users are personal. */
export interface Aside {
  readonly at: string
  readonly why: string
  readonly bytes: number
  readonly webhookId?: string | undefined
  readonly messageType?: string | undefined
  readonly shipmentUid?: string | undefined
  /** SHA-256 of the body in hex, by which the sender's own copy is recognised. */
  readonly sha256?: string | undefined
}

const kept = 100

/**
 * The messages set aside, in memory and bounded; each is a line of the log too, which is what lasts. A file would hold
 * nothing more, and would be one disk, one permission and one clean-up for each of several gateways.
 */
export function createAside(): { keep(aside: Aside): void; list(): readonly Aside[] } {
  const held: Aside[] = []
  return {
    keep(aside) {
      held.push(aside)
      if (held.length > kept) held.shift()
    },
    list: () => [...held],
  }
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
