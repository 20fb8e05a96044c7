import { type CallbackAddress, type RecentCallback, sandboxPaths } from '#contract'
import type { TrafficClient } from '../sandbox/trafficClient.ts'
import { type LocalAnswer, postLocally } from './localReceiver.ts'

export interface AttachOptions {
  readonly client: TrafficClient
  /** Where each callback is posted; undefined posts nothing. */
  readonly to: string | undefined
  readonly key: string
  readonly signal: AbortSignal
  readonly isSelected?: (callback: RecentCallback) => boolean
  /** Called when the list is open: later callbacks are not missed. */
  readonly onAttached?: () => void
  readonly onBroken: (reason: string | undefined) => void
  readonly onCallback: (callback: RecentCallback, answer: LocalAnswer | undefined) => void
}

/** Messages of which the listener remembers that it has forwarded them. */
const remembered = 5_000

/**
 * Forwards a copy of each callback that the service sends to the address of the tenant, once. Repeated
 * deliveries of a callback are skipped. Callbacks of one shipment keep their order. Returns when the signal aborts.
 */
export async function attach(options: AttachOptions): Promise<void> {
  const { client, to, key, signal, isSelected = () => true, onBroken, onCallback } = options
  const seen = new Set<string>()
  const known = await client.list<Partial<RecentCallback>>(sandboxPaths.callbacks)
  for (const { messageId } of known) if (messageId !== undefined) seen.add(messageId)
  const after = known.at(-1)?.id
  const lines = client.follow<RecentCallback | (CallbackAddress & { readonly id?: never })>(sandboxPaths.callbacks, {
    signal,
    after,
    onBroken,
  })
  for await (const line of lines) {
    if (line.id === undefined) {
      options.onAttached?.()
      continue
    }
    if (seen.has(line.messageId) || !isSelected(line)) continue
    seen.add(line.messageId)
    const [oldest] = seen
    if (seen.size > remembered && oldest !== undefined) seen.delete(oldest)
    onCallback(line, to === undefined ? undefined : await postLocally(to, key, line))
  }
}
